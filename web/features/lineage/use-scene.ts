import { useEffect, useRef, useState } from "react";
import workerUrl from "#web/graph/layout.worker.ts?worker&url";
import { notePartMissing } from "#web/kit/chunk-load-error.ts";
import { layoutInputOf } from "#web/graph/input.ts";
import { LayoutCancelledError, LayoutClient, type LayoutWorker } from "#web/graph/layout-client.ts";
import type { Model, View } from "#web/graph/model.ts";
import { buildScene, moved, paddingOf, type Scene, type Sides, sizeIn } from "#web/graph/scene.ts";
import type { Cards } from "#web/graph/cards.ts";
import { loadFraming } from "#web/features/lineage/load-framing.ts";
import type { PlacedView } from "#web/graph/stable.ts";

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

/** The first drawing comes out of none, so that it does without. */
const loadStable = () =>
  import("#web/graph/stable.ts").catch(() => {
    notePartMissing(true);
    return null;
  });

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
