import { useEffect, useMemo, useRef, useState } from "react";
import type { LineageState } from "#web/features/lineage/address.ts";
import { useLater, useStable } from "#web/features/lineage/hooks.ts";
import { jobsAsLines } from "#web/graph/draft.ts";
import {
  LayoutCancelledError,
  LayoutClient,
  layoutInputOf,
  type LayoutWorker,
} from "#web/graph/layout-client.ts";
import workerUrl from "#web/graph/layout.worker.ts?worker&url";
import type { Model, View } from "#web/graph/model.ts";
import type { Cards } from "#web/graph/scene-parts.ts";
import { buildScene, moved, paddingOf, type Scene, type Sides, sizeIn } from "#web/graph/scene.ts";
import type { PlacedView } from "#web/graph/stable.ts";
import { viewOf } from "#web/graph/view.ts";
import { notePartMissing } from "#web/kit/lazy-component.tsx";

/** How much of a model is drawn: its assets, a map of frames of them, or nothing before somebody wants that. */
export type DrawnAs = "assets" | "map" | "nothing";

interface DrawnView {
  view: View;
  drawnAs: DrawnAs;
}

const nothing: DrawnView = { view: { nodes: [], edges: [] }, drawnAs: "assets" };

/** Up to so many entities nothing is left out, and no part that does so is waited for. */
const fewEntities = 12;

/** Of more entities than this, in a drawing that is too large for names, the impact comes first. */
const maxUnasked = 1_000;

type ViewOptions = Pick<LineageState, "unfolded" | "folded" | "steps" | "draw">;

/** What is drawn of a model: which jobs are lines, which neighbors are left out, which groups are one box, or a map of all. */
export function useView(
  model: Model,
  state: ViewOptions & Pick<LineageState, "mode">,
): DrawnView {
  const { unfolded, folded, steps, draw } = state;
  const options = useStable({ unfolded, folded, draw, steps: steps.filter(isChoice) });
  const asLines = state.mode === "jobs" ? undefined : jobsAsLines;
  // Read together with the first answers, so that no drawing is laid out first without its folds and then with them.
  const loaded = useLater(loadForView, true);
  return useMemo(() => {
    const isSmall = model.nodes.size <= fewEntities && options.folded.length === 0;
    if (!isSmall && !loaded) return nothing;
    return drawnOf(model, options, asLines, loaded?.framing ?? undefined);
  }, [model, options, asLines, loaded]);
}

const loadForView = async () => ({ framing: await loadFraming() });

function drawnOf(
  model: Model,
  { unfolded, folded, draw, steps }: ViewOptions,
  asLines: typeof jobsAsLines | undefined,
  framing: Awaited<ReturnType<typeof loadFraming>> | undefined,
): DrawnView {
  const more = moreOf(steps);
  const opened = new Set(unfolded);
  const found: { drawnAs: DrawnAs } = { drawnAs: "assets" };
  const view = viewOf(model, {
    unfolded: opened,
    folded: new Set(folded),
    foldGroups: folded.length > 0 ? framing?.foldGroups : undefined,
    ...framing && draw !== "all" && {
      limit: (model, draft) => framing.limitNeighbours(model, draft, more),
      asMap: (model, draft) => {
        found.drawnAs = "map";
        return framing.mapOf(model, draft, opened);
      },
    },
    // A job that came or went is to be seen.
    asLines: model.changes ? undefined : asLines,
  });
  const isMap = found.drawnAs === "map";
  const isUnasked = draw === "auto" && isMap && model.nodes.size > maxUnasked;
  return isUnasked ? { ...nothing, drawnAs: "nothing" } : { view, ...found };
}

const isChoice = ({ kind }: LineageState["steps"][number]) =>
  kind === "more" || kind === "pick" || kind === "paths";

/** Which neighbors somebody wants to see beyond the first ones. */
function moreOf(steps: LineageState["steps"]) {
  const counts = new Map<string, number>();
  const picked = new Set<number>();
  const paths: [number, number][] = [];
  for (const step of steps) {
    if (step.kind === "pick") picked.add(step.id);
    if (step.kind === "paths") paths.push([step.id, step.to]);
    if (step.kind === "more") {
      counts.set(`${step.id}${step.side === "upstream" ? "u" : "d"}`, step.count);
    }
  }
  return { counts, picked, paths };
}

/** A drawing, and how it comes out of the one before. */
export interface Arrival {
  scene: Scene;
  /** The scene on its way, at a share from 0 to 1; null when nothing moves, or too much does. */
  onTheWay: ((share: number) => Scene) | null;
  /** Whether it is another picture, which begins where a first one would. */
  refit: boolean;
}

interface SceneQuestion {
  view: View;
  model: Model;
  /** Key of the box that stays where it was. */
  anchor: string | null;
  /** Sides that were opened, by key of box. */
  opened: ReadonlyMap<string, Sides>;
  cards: Cards | null;
  /** What was chosen of the drawing as a whole: when it changes, the drawing is laid out and fitted in again. */
  settings: string;
}

interface SceneAnswer {
  arrival: Arrival | null;
  view: View | null;
  error: unknown;
}

/** Boxes beyond these jump: moving them would take longer than a frame. */
const maxMoved = 3_000;

/** Lays a view out in a worker; what is drawn stays until the next layout is there. */
export function useScene(
  { view, model, anchor, opened, cards, settings }: SceneQuestion,
): SceneAnswer {
  const [answer, setAnswer] = useState<SceneAnswer>({ arrival: null, view: null, error: null });
  const placed = useRef<PlacedView & { settings: string } | null>(null);
  const client = useRef<LayoutClient | null>(null);
  useEffect(() => () => {
    client.current?.close();
    client.current = null;
  }, []);
  useEffect(() => {
    if (view.nodes.length === 0) return;
    const layouts = client.current ??= new LayoutClient(startWorker);
    const over = new AbortController();
    const layOut = async () => {
      const refit = placed.current !== null && placed.current.settings !== settings;
      const stable = refit ? null : placed.current && await loadStable();
      const before = stable ? stable.ranksOf(view, placed.current) : undefined;
      const input = layoutInputOf(view, sizeIn(view, cards), before);
      const [fresh, framing] = await Promise.all([
        layouts.layout(input, over.signal),
        input.frames || view.nodes.some(({ form }) => form) ? loadFraming() : null,
      ]);
      if (over.signal.aborted) return;
      const old = placed.current;
      const layout = anchor && stable
        ? stable.anchored(old, { view, layout: fresh }, anchor)
        : fresh;
      const next = placed.current = { view, layout, settings };
      const padding = paddingOf(view);
      const roots = new Set(model.roots);
      const { nodes, groups } = model;
      const about = { nodes, groups, framing, roots, opened, padding, cards };
      const scene = buildScene({ view, layout, ...about });
      const moves = stable && view.nodes.length <= maxMoved ? stable.movesOf(old, next) : null;
      const onTheWay = stable && moves?.x.some((x, at) =>
          x !== layout.x[at] || moves.y[at] !== layout.y[at]
        )
        ? (share: number) =>
          moved(scene, stable.between(layout, moves, input.edges, share), padding)
        : null;
      setAnswer({ arrival: { scene, onTheWay, refit }, view, error: null });
    };
    layOut().catch((error: unknown) => {
      if (error instanceof LayoutCancelledError) return;
      setAnswer((before) => ({ ...before, error }));
    });
    return () => over.abort();
  }, [view, opened, cards]);
  return answer;
}

/** What draws groups and many boxes. */
const loadFraming = () => orNull(import("#web/graph/framing.ts"));

/** What keeps boxes in their places; the first drawing comes out of none, so that it does without. */
const loadStable = () => orNull(import("#web/graph/stable.ts"));

/** A part, or null where it cannot be loaded: then a drawing does without. */
function orNull<Part>(part: Promise<Part>): Promise<Part | null> {
  return part.catch(() => {
    notePartMissing(true);
    return null;
  });
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): unknown };
}
let trusted: { createScriptURL(url: string): unknown } | undefined;

/** Where pages may load scripts of a policy only, ours allows the one script of layouts and nothing else. */
function startWorker(): LayoutWorker {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  trusted ??= types?.createPolicy("tributary-worker", {
    createScriptURL: (url) => {
      if (url !== workerUrl) throw new TypeError("only the worker of layouts may be started");
      return url;
    },
  });
  const url = (trusted?.createScriptURL(workerUrl) ?? workerUrl) as string;
  return new Worker(url, { type: "module" }) as unknown as LayoutWorker;
}
