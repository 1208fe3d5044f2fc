import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import {
  type Change,
  type LineageState,
  paramsOf,
  preferredExtents,
  stateOf,
  type Step,
  withStep,
} from "#web/features/lineage/address.ts";
import { LineageBar } from "#web/features/lineage/bar.tsx";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import styles from "#web/features/lineage/lineage.module.css";
import {
  type Appearance,
  useDrawing,
  type ViewportOverlayProps,
} from "#web/features/lineage/use-drawing.ts";
import type { DrawnAs } from "#web/features/lineage/use-scene.ts";
import { ViewportOverlays } from "#web/features/lineage/viewport-overlays.tsx";
import { isJobType } from "#web/graph/hops.ts";
import type { Model } from "#web/graph/model.ts";
import type { Cards } from "#web/graph/scene-parts.ts";
import { ChipRow } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { listText } from "#web/kit/numbers.ts";
import { Page } from "#web/kit/page.tsx";
import { idsOf, useParamsOfView } from "#web/kit/search-params.ts";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { Empty } from "#web/kit/states.tsx";
import { t } from "#web/messages/text.ts";

/** The lineage of several entities at once: `/lineage?ids=1,2`. */
export function LineageScreen() {
  const [params] = useParamsOfView();
  const ids = useMemo(() => idsOf(params.ids).slice(0, 20), [params.ids]);
  return (
    <Page title={t("kit.lineage")} full>
      {ids.length > 0
        ? <Lineage key={ids.join()} roots={ids} />
        : <Empty title={t("lineage.whoseLineage")}>{t("lineage.nameByIds")}</Empty>}
    </Page>
  );
}

export function LineageTab() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const number = Number(id);
  const roots = useMemo(() => [number], [number]);
  if (!Number.isSafeInteger(number) || number < 1) {
    return <Empty title={t("lineage.assetNotFound")} />;
  }
  return <Lineage key={number} roots={roots} tab />;
}

// The drawing comes first.
const TimeBanner = lazyComponent(
  () => import("#web/features/lineage/time.tsx").then((all) => all.TimeBanner),
);
const Beside = lazyComponent(
  () => import("#web/features/lineage/beside.tsx").then((all) => all.Beside),
);
const NotThen = lazyComponent(
  () => import("#web/features/lineage/no-drawing.tsx").then((all) => all.NotThen),
);
const ImpactPanel = lazyComponent(
  () => import("#web/features/lineage/impact-panel.tsx").then((all) => all.default),
  <div />,
);
const Popovers = lazyComponent(
  () => import("#web/features/lineage/chip-popovers.tsx").then((all) => all.Popovers),
  ({ children }) => children,
);

/** The lineage around some entities: drawing, table, and all that is done with them. All state is in the address. */
function Lineage({ roots, tab }: { roots: readonly number[]; tab?: boolean }) {
  const [params, setParams] = useParamsOfView();
  const [preferred] = useState(preferredExtents);
  const state = stateOf(params, preferred);
  const change: Change = (some, push = false) => setParams(paramsOf(some), push);
  const [anchor, setAnchor] = useState<string | null>(null);
  const [focus, setFocus] = useState<string | null>(null);
  const [viewport, setViewport] = useState<GraphViewport | null>(null);
  const [cards, setCards] = useState<Cards | null>(null);
  const [appearance, setAppearance] = useState<Appearance | null>(null);
  const drawing = useDrawing(roots, state, anchor ?? `e${roots[0]}`, { cards, appearance });
  const { model, scene, near, view } = drawing;
  const find = useRef<HTMLInputElement>(null);
  useShortcuts(useMemo(() => ({ "/": () => find.current?.focus() }), []));
  const { step, jump, choose, boxOf } = movesIn({ drawing, state, change, setAnchor, setFocus });
  const failed = drawing.error !== null && model.nodes.size === 0;
  const title = model.nodes.get(roots[0]!)?.name ??
    t("lineage.assetCount", { count: roots.length });
  const only = roots.length === 1 ? roots[0]! : null;
  const csv = useCsv(roots, state, title);
  return (
    <div className={styles.room} data-panel={state.panel || undefined} data-tab={tab}>
      {!failed && (
        <LineageBar
          {...{ model, state, viewport, scene, find, change, csv }}
          drawnAs={drawing.drawnAs}
          name={title}
          only={only}
          isGroup={only !== null && isGroup(model, only)}
          onJump={jump}
        />
      )}
      <div>
        <TimeBanner {...{ state, change, model }} />
        <LineageStatus {...{ drawing, failed, step, change }} />
      </div>
      {!failed && (
        <div className={styles.withside}>
          <ViewportOverlays
            {...{ drawing, state, viewport, focus, change, step, title }}
            {...{ setViewport, setFocus, setAnchor, setCards, setAppearance }}
          />
          {(state.selected.length > 0 || state.compare) && (
            <Beside {...{ drawing, state, change }} onJump={jump} />
          )}
        </div>
      )}
      {state.panel && !failed && (
        <ImpactPanel
          {...{ model, roots, state, change, cards, setAnchor, near }}
          focus={view.nodes.find(({ key }) => key === focus)?.members ?? null}
          filters={drawing.filters}
          onFocus={(id) => setFocus(boxOf(id))}
          onChoose={choose}
        />
      )}
    </div>
  );
}

/** How one goes on in a drawing: a step further, to an entity, or to what is on its paths. */
function movesIn(
  { drawing, state, change, setAnchor, setFocus }: Pick<
    ViewportOverlayProps,
    "drawing" | "state" | "change" | "setAnchor" | "setFocus"
  >,
) {
  const { model, view, drawnAs } = drawing;
  const boxOf = (id: number) => view.nodes.find(({ members }) => members.includes(id))?.key ?? null;
  const step = (one: Step) => {
    if ("side" in one) setAnchor(`e${one.id}`);
    change({ steps: withStep(state.steps, one) }, true);
  };
  const jump = (id: number) => {
    const box = boxOf(id);
    const isLine = state.mode !== "jobs" && isJobType(model.nodes.get(id)?.type);
    // What the drawing leaves out is drawn once somebody looks for it.
    if (!box && !isLine && drawnAs === "assets") step({ kind: "pick", id });
    setFocus(box ?? `e${id}`);
  };
  const choose = (id: number) => {
    const box = boxOf(id);
    if (box) change({ selected: [box] }, true);
  };
  return { step, jump, choose, boxOf };
}

function isGroup(model: Model, id: number): boolean {
  return model.groups.has(id) ||
    model.nodes.get(id)?.classes.includes("DATA_ENTITY_GROUP") === true;
}

function useCsv(roots: readonly number[], state: LineageState, title: string) {
  const queries = useQueryClient();
  return async () => {
    const { saveRows } = await import("#web/features/lineage/impact-list.ts");
    await saveRows(queries, roots, state, title);
  };
}

/** How whole and how current the drawing is. */
function LineageStatus(
  { drawing, failed, step, change }: Pick<ViewportOverlayProps, "drawing" | "step" | "change"> & {
    failed: boolean;
  },
) {
  if (failed) return <NotThen error={drawing.error} onRetry={drawing.retry} />;
  const { model, view: { nodes }, drawnAs, position, truncated, near } = drawing;
  const isMap = drawnAs === "map";
  // Of a map the frames that are not opened.
  const boxes = isMap ? nodes.filter(({ kind }) => kind === "fold").length : nodes.length;
  return (
    <ChipRow>
      <span className="soft">
        {boxes === 0 && drawnAs !== "nothing"
          ? t("lineage.loading")
          : countText(model, boxes, drawnAs)}
      </span>
      <Popovers
        {...{ model, position, truncated, step }}
        loaded={(id, side) => near(id, side).length}
      >
        {isMap && (
          <Button small onClick={() => change({ draw: "all" }, true)}>
            {t("lineage.drawEveryAsset")}
          </Button>
        )}
      </Popovers>
    </ChipRow>
  );
}

function countText({ nodes }: Model, boxes: number, drawnAs: DrawnAs): string {
  const jobs = [...nodes.values()].filter(({ type }) => isJobType(type)).length;
  const assets = nodes.size - jobs;
  const text = listText([
    ...(assets > 0 ? [t("lineage.assetCount", { count: assets })] : []),
    ...(jobs > 0 ? [t("lineage.jobCount", { count: jobs })] : []),
  ]);
  if (drawnAs === "nothing") return text;
  // Jobs that are lines have no box.
  const isFolded = boxes !== nodes.size && boxes < assets;
  if (!isFolded) return text;
  const drawn = { text, count: boxes };
  return drawnAs === "map" ? t("lineage.asAMap", drawn) : t("lineage.someDrawn", drawn);
}
