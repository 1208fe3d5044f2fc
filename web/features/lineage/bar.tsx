import { Download, Filter, PanelBottom } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SearchField, SelectField } from "#web/kit/field.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Segments } from "#web/kit/segments.tsx";
import type { Model } from "#web/graph/model.ts";
import type { Scene } from "#web/graph/scene.ts";
import {
  type Change,
  defaultExtent,
  extentOf,
  extents,
  type LineageState,
  type Mode,
  rememberExtent,
} from "#web/features/lineage/address.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import type { DrawnAs } from "#web/features/lineage/use-scene.ts";
import styles from "#web/features/lineage/lineage.module.css";
import { t } from "#web/messages/text.ts";

// The drawing comes first, then what few use.
const ExportMenu = lazyComponent(
  () => import("#web/features/lineage/export-menu.tsx").then((all) => all.ExportMenu),
  () => (
    <Button disabled>
      <Download aria-hidden />
      {t("lineage.export")}
    </Button>
  ),
);
const TimeMenu = lazyComponent(
  () => import("#web/features/lineage/time.tsx").then((all) => all.TimeMenu),
  () => <Button disabled>{t("lineage.whatChanged")}</Button>,
);
const Find = lazyComponent(
  () => import("#web/features/lineage/find.tsx").then((all) => all.Find),
  () => <SearchField label={t("lineage.findInThisGraph")} value="" onValue={() => {}} disabled />,
);
const FilterMenu = lazyComponent(
  () => import("#web/features/lineage/filters.tsx").then((all) => all.FilterMenu),
  () => (
    <Button disabled>
      <Filter aria-hidden />
      {t("lineage.filterButton")}
    </Button>
  ),
);

const ReachedCount = lazyComponent(
  () => import("#web/features/lineage/impact-summary.tsx").then((all) => all.ReachedCount),
);

interface BarProps {
  model: Model;
  state: LineageState;
  viewport: GraphViewport | null;
  scene: Scene | null;
  drawnAs: DrawnAs;
  name: string;
  /** Id of the one start; null where there are several. */
  only: number | null;
  isGroup: boolean;
  find: RefObject<HTMLInputElement | null>;
  change: Change;
  onJump: (id: number) => void;
  csv: () => Promise<void>;
}

export function LineageBar(props: BarProps) {
  const { model, state, viewport, scene, name, only, find, change, onJump, csv } = props;
  // The drawing comes first, unless it is not wanted.
  const isThere = scene !== null || props.drawnAs === "nothing";
  return (
    <div className={styles.bar}>
      <Settings {...props} />
      <div className={styles.find}>
        <Find model={model} box={find} onJump={onJump} />
      </div>
      <FilterMenu model={model} filters={state} onChange={(some) => change(some, true)} />
      <TimeMenu {...state} change={change} />
      <span className="grow" />
      <Button aria-pressed={state.panel} onClick={() => change({ panel: !state.panel })}>
        <PanelBottom aria-hidden />
        {t("lineage.impactButton")}{" "}
        {isThere && only !== null && state.asOf === null && <ReachedCount id={only} />}
      </Button>
      {viewport && isThere && <ExportMenu {...{ viewport, scene, name }} onCsv={csv} />}
    </div>
  );
}

/** What is drawn: how far to each side, and whether jobs are boxes. */
function Settings({ model, state, isGroup, change }: BarProps) {
  const changed = [state.steps, state.unfolded, state.folded, state.cards]
    .some(({ length }) => length > 0);
  return (
    <>
      {!state.members && (
        <>
          <ExtentField side="up" state={state} change={change} />
          <ExtentField side="down" state={state} change={change} />
        </>
      )}
      <Segments
        label={t("lineage.detail")}
        of={modeTexts()}
        value={state.mode}
        onValue={(mode) => void showing(mode, model).then((some) => change(some, true))}
      />
      {isGroup && (
        <Checkbox
          label={t("lineage.amongItsMembers")}
          checked={state.members}
          onChange={() => change({ members: !state.members, steps: [], selected: [] }, true)}
        />
      )}
      {changed && (
        <Button
          variant="quiet"
          onClick={() =>
            change({ steps: [], unfolded: [], folded: [], cards: [], column: null }, true)}
        >
          {t("lineage.reset")}
        </Button>
      )}
    </>
  );
}

/** What another mode changes; where columns are drawn is found when that is wanted. */
async function showing(mode: Mode, model: Model): Promise<Partial<LineageState>> {
  const cards = mode === "columns"
    ? (await import("#web/features/lineage/card-state.ts")).firstCards(model)
    : [];
  return { mode, view: null, column: null, cards };
}

const modeTexts = () => ([
  { value: "tables", text: t("lineage.tables") },
  { value: "jobs", text: t("lineage.tablesJobs") },
  { value: "columns", text: t("kit.columns") },
] as const);

/** How far the drawing goes to one side when it is opened; a change starts it again, and is remembered. */
function ExtentField(
  { side, state, change }: Pick<BarProps, "state" | "change"> & { side: "up" | "down" },
) {
  return (
    <SelectField
      label={side === "up" ? t("lineage.hopsUpstream") : t("lineage.hopsDownstream")}
      hideLabel
      value={String(state[side])}
      options={extents.map((extent) => [
        String(extent),
        side === "up"
          ? t("lineage.upHops", { count: extent })
          : t("lineage.downHops", { count: extent }),
      ])}
      onChange={({ target }) => {
        const extent = extentOf(target.value) ?? defaultExtent;
        rememberExtent(side, extent);
        change({ up: state.up, down: state.down, [side]: extent, steps: [], view: null }, true);
      }}
    />
  );
}
