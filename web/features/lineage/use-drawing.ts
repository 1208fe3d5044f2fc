import { useMemo } from "react";
import type { Cards } from "#web/graph/cards.ts";
import type { MarkedElements, Marks } from "#web/graph/marks.ts";
import type { Scene, Sides } from "#web/graph/scene.ts";
import { walkable } from "#web/graph/walkable.ts";
import type { LineageState, Side } from "#web/features/lineage/address.ts";
import { useLater } from "#web/features/lineage/use-later.ts";
import { useStable, useView } from "#web/features/lineage/use-view.ts";
import { useLineage } from "#web/features/lineage/use-lineage.ts";
import { useScene } from "#web/features/lineage/use-scene.ts";

const loadHighlight = () => import("#web/features/lineage/highlight.ts");
const loadNavigation = () => import("#web/features/lineage/navigation.ts");
// Nobody wants it before there is something to choose.
const loadPaths = () => import("#web/features/lineage/paths.ts");

/** What is read after the first picture: how entities are, and what the colour of boxes says. */
export type Appearance = Pick<Marks, "health" | "colour" | "icons" | "legend">;

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
  const { view, extent } = useView(model, state);
  // Where columns are wanted, the drawing is fitted in once their cards are there.
  const hasCards = state.mode === "columns" && cards !== null;
  const { mode, draw, asOf, compare } = state;
  const settings = JSON.stringify([roots, up, down, members, mode, draw, asOf, compare, hasCards]);
  const opened = useMemo(() => openedSides(options.steps), [options]);
  const drawn = useScene({ view, model, anchor, opened, cards, settings });
  const graph = useMemo(() => walkable(model), [model]);
  // What was drawn before is no picture of what is not drawn.
  const scene = extent === "nothing" ? null : drawn.arrival?.scene ?? null;
  const keyboardNavigation = useNavigation(scene);
  const selected = useStable(state.selected);
  const highlightOf = useLater(loadPaths, scene !== null)?.highlightOf;
  const highlight = useMemo(
    () => highlightOf?.(model, graph, view, selected) ?? null,
    [highlightOf, model, graph, view, selected],
  );
  const { classes, sources, alertsOnly } = state;
  const filters = useStable({ classes, sources, alertsOnly });
  const dimmedBy = useLater(loadHighlight, scene !== null)?.dimmedBy;
  const dimmed = useMemo(
    () => dimmedBy?.(model, view, filters) ?? null,
    [dimmedBy, model, view, filters],
  );
  const marked: MarkedElements = useMemo(() => ({
    selected: new Set(selected),
    path: highlight && highlight.boxes.size > 0
      ? highlight.boxes
      : cards?.boxesOf(state.column) ?? null,
    onPath: highlight && ((key) => highlight.lines.has(key)),
    dimmed: dimmed && ((key) => dimmed.has(key)),
    column: state.column,
    ...appearance,
  }), [selected, highlight, dimmed, state.column, cards, appearance]);
  const near = (id: number, side: Side) => neighboursOf(graph, id, side);
  return {
    ...answers,
    view,
    extent,
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

/** The neighbours of each box, and a text for each, once there is a drawing. */
function useNavigation(scene: Scene | null) {
  const navigation = useLater(loadNavigation, scene !== null);
  return useMemo(
    () => {
      if (!scene || !navigation) return null;
      const at = new navigation.KeyboardNavigation(scene);
      return Object.assign(at, { spoken: (box: number) => navigation.spoken(scene, at, box) });
    },
    [scene, navigation],
  );
}

function neighboursOf(graph: ReturnType<typeof walkable>, id: number, side: Side): number[] {
  const at = graph.index.get(id);
  if (at === undefined) return [];
  const { ends, offsets } = side === "upstream" ? graph.up : graph.down;
  return Array.from(ends.subarray(offsets[at]!, offsets[at + 1]!), (end) => graph.ids[end]!);
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
