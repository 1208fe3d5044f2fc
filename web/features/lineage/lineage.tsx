import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import type { Cards } from "#web/graph/cards.ts";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { idsOf, useParamsOfView } from "#web/kit/search-params.ts";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { Empty, Failure } from "#web/kit/states.tsx";
import {
  type Change,
  type LineageState,
  paramsOf,
  stateOf,
  type Step,
  withStep,
} from "#web/features/lineage/address.ts";
import { LineageBar } from "#web/features/lineage/bar.tsx";
import { Chips } from "#web/features/lineage/chips.tsx";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { ViewportOverlays } from "#web/features/lineage/viewport-overlays.tsx";
import { preferredExtents } from "#web/features/lineage/remembered-extent.ts";
import type { View } from "#web/graph/model.ts";
import { type Appearance, useDrawing } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/lineage.module.css";

const TimeBanner = lazyComponent(
  () => import("#web/features/lineage/time.tsx").then((all) => all.TimeBanner),
);
const ImpactPanel = lazyComponent(
  () => import("#web/features/lineage/impact-panel.tsx").then((all) => all.default),
  <div />,
);

/** The lineage around some entities: drawing, table, and all that is done with them. All state is in the address. */
export function Lineage({ roots, tab }: { roots: readonly number[]; tab?: boolean }) {
  const [params, setParams] = useParamsOfView();
  const [preferred] = useState(preferredExtents);
  const state = stateOf(params, preferred);
  const change: Change = (some, push = false) => setParams(paramsOf(some), push);
  const [[anchor, setAnchor], [focus, setFocus]] = [useKey(), useKey()];
  const [viewport, setViewport] = useState<GraphViewport | null>(null);
  const [cards, setCards] = useState<Cards | null>(null);
  const [appearance, setAppearance] = useState<Appearance | null>(null);
  const drawing = useDrawing(roots, state, anchor ?? `e${roots[0]}`, { cards, appearance });
  const { model, scene, near, view } = drawing;
  const find = useRef<HTMLInputElement>(null);
  useShortcuts(useMemo(() => ({ "/": () => find.current?.focus() }), []));
  const step = (one: Step) => {
    if (one.kind !== "paths") setAnchor(`e${one.id}`);
    change({ steps: withStep(state.steps, one) }, true);
  };
  const boxOf = (id: number) => boxIn(view, id);
  const jump = (id: number) => setFocus(boxOf(id));
  const choose = (id: number) => {
    const box = boxOf(id);
    if (box) change({ selected: [box] }, true);
  };
  const failed = drawing.error !== null && model.nodes.size === 0;
  const title = model.nodes.get(roots[0]!)?.name ?? "several";
  const only = roots.length === 1 ? roots[0]! : null;
  const csv = useCsv(roots, state, title);
  return (
    <div className={styles.room} data-panel={state.panel || undefined} data-tab={tab}>
      {!failed && (
        <LineageBar
          {...{ model, state, viewport, scene, find, change, csv }}
          name={title}
          only={only}
          isGroup={only !== null && isGroup(model, only)}
          onJump={jump}
        />
      )}
      <div>
        <TimeBanner {...{ state, change, model }} />
        <LineageStatus drawing={drawing} failed={failed} onStep={step} />
      </div>
      {!failed && (
        <ViewportOverlays
          {...{ drawing, state, viewport, focus, change, step, title }}
          {...{ setViewport, setFocus, setAnchor, setCards, setAppearance }}
        />
      )}
      {state.panel && !failed && (
        <ImpactPanel
          {...{ model, roots, state, change, cards, setAnchor, near }}
          focus={membersOf(view, focus)}
          filters={drawing.filters}
          onFocus={jump}
          onChoose={choose}
        />
      )}
    </div>
  );
}

/** The key of a box, or none. */
const useKey = () => useState<string | null>(null);

/** Key of the box that an entity is in; null when it is in none. */
function boxIn({ nodes }: View, id: number): string | null {
  return nodes.find(({ members }) => members.includes(id))?.key ?? null;
}

function membersOf({ nodes }: View, box: string | null): readonly number[] | null {
  return nodes.find(({ key }) => key === box)?.members ?? null;
}

/** Saves the entities as CSV. */
function useCsv(roots: readonly number[], state: LineageState, title: string) {
  const queries = useQueryClient();
  return async () => {
    const { saveRows } = await import("#web/features/lineage/save-rows.ts");
    await saveRows(queries, roots, state, title);
  };
}

/** How whole and how current the drawing is. */
function LineageStatus(
  { drawing, failed, onStep }: {
    drawing: ReturnType<typeof useDrawing>;
    failed: boolean;
    onStep: (step: Step) => void;
  },
) {
  if (failed) return <Failure error={drawing.error} what="lineage" onRetry={drawing.retry} />;
  const { model, view, position, truncated, near } = drawing;
  return (
    <Chips
      {...{ model, position, truncated, onStep }}
      boxes={view.nodes.length}
      loaded={(id, side) => near(id, side).length}
    />
  );
}

function isGroup(model: ReturnType<typeof useDrawing>["model"], id: number): boolean {
  return model.groups.has(id) ||
    model.nodes.get(id)?.classes.includes("DATA_ENTITY_GROUP") === true;
}

/** Several entities at once: `/lineage?ids=1,2`. */
export function LineageOfIds() {
  const [params] = useParamsOfView();
  const ids = useMemo(() => idsOf(params.ids).slice(0, 20), [params.ids]);
  if (ids.length === 0) {
    return (
      <Empty title="Whose lineage?">
        Name entities by their ids: /lineage?ids=1,2
      </Empty>
    );
  }
  return <Lineage key={ids.join()} roots={ids} />;
}
