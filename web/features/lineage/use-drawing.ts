import { useMemo } from "react";
import type { Change, LineageState, Side, Step } from "#web/features/lineage/address.ts";
import { modelOf } from "#web/features/lineage/fragments.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { useAnswers, useLater, useStable } from "#web/features/lineage/hooks.ts";
import { rootQuestion, stepQuestion } from "#web/features/lineage/load.ts";
import { useScene, useView } from "#web/features/lineage/use-scene.ts";
import { endsOf, type Walkable, walkable } from "#web/graph/adjacency.ts";
import type { MarkedElements, Marks } from "#web/graph/marks.ts";
import type { Cards } from "#web/graph/scene-parts.ts";
import type { Scene, Sides } from "#web/graph/scene.ts";

/** What is read after the first picture: how entities are, and what the colour of boxes says. */
export type Appearance = Pick<Marks, "health" | "colour" | "icons" | "legend">;

export interface ViewportOverlayProps {
  drawing: ReturnType<typeof useDrawing>;
  state: LineageState;
  viewport: GraphViewport | null;
  title: string;
  /** Key of the box that has the focus. */
  focus: string | null;
  change: Change;
  step: (step: Step) => void;
  setViewport: (viewport: GraphViewport | null) => void;
  setFocus: (key: string | null) => void;
  setAnchor: (key: string) => void;
  /** Opened cards, once their columns are read. */
  setCards: (cards: Cards | null) => void;
  setAppearance: (appearance: Appearance | null) => void;
}

// Nothing is chosen or filtered before there is a drawing.
const loadHighlight = () => import("#web/features/lineage/highlight.ts");

/**
 * Everything that is drawn and listed, made of the address and the answers of the service; each part is made again only
 * when what it is made of has changed.
 */
export function useDrawing(
  roots: readonly number[],
  state: LineageState,
  anchor: string | null,
  { cards, appearance }: { cards: Cards | null; appearance: Appearance | null },
) {
  const { up, down, members, steps } = state;
  const options = useStable({ up, down, members, steps });
  const answers = useLineage(roots, { ...state, ...options });
  const { model } = answers;
  const { view, drawnAs } = useView(model, state);
  // Where columns are wanted, the drawing is fitted in once their cards are there.
  const hasCards = state.mode === "columns" && cards !== null;
  const { mode, draw, asOf, compare } = state;
  const settings = JSON.stringify([roots, up, down, members, mode, draw, asOf, compare, hasCards]);
  const opened = useMemo(() => openedSides(options.steps), [options]);
  const drawn = useScene({ view, model, anchor, opened, cards, settings });
  const graph = useMemo(() => walkable(model), [model]);
  // What was drawn before is no picture of what is not drawn.
  const scene = drawnAs === "nothing" ? null : drawn.arrival?.scene ?? null;
  const keyboardNavigation = useNavigation(scene);
  const selected = useStable(state.selected);
  const { highlightOf, dimmedBy } = useLater(loadHighlight, scene !== null) ?? {};
  const highlight = useMemo(
    () => highlightOf?.(model, graph, view, selected) ?? null,
    [highlightOf, model, graph, view, selected],
  );
  const { classes, sources, alertsOnly } = state;
  const filters = useStable({ classes, sources, alertsOnly });
  const dimmed = useMemo(
    () => dimmedBy?.(model, view, filters) ?? null,
    [dimmedBy, model, view, filters],
  );
  const marked: MarkedElements = useMemo(() => ({
    selected: new Set(selected),
    path: highlight?.boxes.size ? highlight.boxes : cards?.boxesOf(state.column) ?? null,
    onPath: highlight && ((key) => highlight.lines.has(key)),
    dimmed: dimmed && ((key) => dimmed.has(key)),
    column: state.column,
    ...appearance,
  }), [selected, highlight, dimmed, state.column, cards, appearance]);
  const near = (id: number, side: Side) => neighboursOf(graph, id, side);
  return {
    ...answers,
    view,
    drawnAs,
    scene,
    cards,
    keyboardNavigation,
    drawn,
    marked,
    highlight,
    filters,
    graph,
    near,
  };
}

const loadNavigation = () => import("#web/features/lineage/navigation.ts");

/** The neighbours of each box, and a text for each, once there is a drawing. */
function useNavigation(scene: Scene | null) {
  const navigation = useLater(loadNavigation, scene !== null);
  return useMemo(() => {
    if (!scene || !navigation) return null;
    const at = new navigation.KeyboardNavigation(scene);
    return Object.assign(at, { spoken: (box: number) => navigation.spoken(scene, at, box) });
  }, [scene, navigation]);
}

function neighboursOf(graph: Walkable, id: number, side: Side): number[] {
  const at = graph.index.get(id);
  if (at === undefined) return [];
  const ends = endsOf(side === "upstream" ? graph.up : graph.down, at);
  return Array.from(ends, (end) => graph.ids[end]!);
}

/** Sides that were opened and not put away since, by key of box. */
function openedSides(steps: LineageState["steps"]): ReadonlyMap<string, Sides> {
  const opened = new Map<string, Sides>();
  for (const step of steps) {
    if (step.kind === "paths" || step.kind === "pick" || step.kind === "more") continue;
    const sides = opened.get(`e${step.id}`) ?? { left: false, right: false };
    const name = step.side === "upstream" ? "left" : "right";
    opened.set(`e${step.id}`, { ...sides, [name]: step.kind !== "close" });
  }
  return opened;
}

const loadClosing = () => import("#web/graph/forget.ts");

/** Reads what a drawing is made of; answers are remembered by their questions, so that going back reads nothing. */
function useLineage(roots: readonly number[], state: LineageState) {
  const { up, down, members, steps, asOf, compare } = state;
  const { first, later, questions } = useMemo(() => {
    const first = roots.map((id) => rootQuestion(id, { up, down, members, asOf, compare }));
    const later = steps.map((step) => ({ step, question: stepQuestion(step, { asOf, compare }) }));
    return {
      first,
      later,
      questions: [...first, ...later.flatMap(({ question }) => question ?? [])],
    };
  }, [roots, up, down, members, steps, asOf, compare]);
  const { answers, pieces, pieceOf } = useAnswers(questions);
  const close = useLater(loadClosing, steps.some(({ kind }) => kind === "close"))?.closed;
  const model = useMemo(() => {
    const steps = later.map(({ step, question }) => ({
      step,
      piece: question ? pieceOf(question) : undefined,
    }));
    return modelOf(first.map(pieceOf), steps, close);
  }, [first, later, pieceOf, close]);
  const failed = answers.find(({ error }) => error !== null);
  const positions = pieces.flatMap((piece) => piece?.position ?? []);
  return {
    model,
    /** Nothing can be drawn yet. */
    pending: answers.slice(0, roots.length).some(({ isPending }) => isPending),
    /** More is being read. */
    busy: answers.some(({ isFetching }) => isFetching),
    error: failed?.error ?? null,
    retry: () => answers.forEach(({ error, refetch }) => error && void refetch()),
    /** The oldest position among the answers; null before the first. */
    position: positions.length > 0 ? Math.min(...positions) : null,
    /** Whether a budget ended one of them: `nodes` or `time`. */
    truncated: pieces.find((piece) => piece?.truncated)?.truncated ?? null,
  };
}
