import { Download, Filter, PanelBottom } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SearchField, SelectField } from "#web/kit/field.tsx";
import { count, shortCount } from "#web/kit/numbers.ts";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Segments } from "#web/kit/segments.tsx";
import type { Model } from "#web/graph/model.ts";
import { walkable } from "#web/graph/walkable.ts";
import { hopsFrom } from "#web/graph/walks.ts";
import { isDataset } from "#web/features/lineage/card-state.ts";
import type { Scene } from "#web/graph/scene.ts";
import {
  type Change,
  defaultExtent,
  type Extent as ExtentValue,
  extentOf,
  extents,
  type LineageState,
  type Mode,
} from "#web/features/lineage/address.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { useImpactCounts } from "#web/features/lineage/use-impact-counts.ts";
import { rememberExtent } from "#web/features/lineage/remembered-extent.ts";
import styles from "#web/features/lineage/lineage.module.css";

// The drawing comes first, then what few use.
const ExportMenu = lazyComponent(
  () => import("#web/features/lineage/export-menu.tsx").then((all) => all.ExportMenu),
  <Button disabled>
    <Download aria-hidden />Export
  </Button>,
);
const TimeMenu = lazyComponent(
  () => import("#web/features/lineage/time.tsx").then((all) => all.TimeMenu),
  <Button disabled>Time</Button>,
);
const Find = lazyComponent(
  () => import("#web/features/lineage/find.tsx").then((all) => all.Find),
  <SearchField label="Find in this drawing" value="" onValue={() => {}} disabled />,
);
const FilterMenu = lazyComponent(
  () => import("#web/features/lineage/filters.tsx").then((all) => all.FilterMenu),
  <Button disabled>
    <Filter aria-hidden />Filter
  </Button>,
);

export interface BarProps {
  model: Model;
  state: LineageState;
  viewport: GraphViewport | null;
  scene: Scene | null;
  name: string;
  /** Id of the one start; null where there are several. */
  only: number | null;
  isGroup: boolean;
  find: RefObject<HTMLInputElement | null>;
  change: Change;
  onJump: (id: number) => void;
  csv: () => Promise<void>;
}

/** What can be done with the whole drawing. */
export function LineageBar(props: BarProps) {
  const reached = useImpactCounts(props.only, props.scene !== null && !props.state.asOf)?.total;
  const { model, state, viewport, scene, name, find, change, onJump, csv } = props;
  return (
    <div className={styles.bar}>
      <Extent {...props} />
      <div className={styles.find}>
        <Find model={model} box={find} onJump={onJump} />
      </div>
      <FilterMenu model={model} filters={state} onChange={(some) => change(some, true)} />
      <TimeMenu asOf={state.asOf} change={change} />
      <span className="grow" />
      <Button aria-pressed={state.panel} onClick={() => change({ panel: !state.panel })}>
        <PanelBottom aria-hidden />Impact
        {reached !== undefined && <ReachedCount of={reached} />}
      </Button>
      {viewport && scene && <ExportMenu {...{ viewport, scene, name }} onCsv={csv} />}
    </div>
  );
}

/** How much is downstream, all the way. */
function ReachedCount({ of }: { of: number }) {
  return <span className="soft" title={`${count(of)} downstream`}>{shortCount(of)}</span>;
}

/** What is drawn: how far to each side, and whether jobs are boxes. */
function Extent({ model, state, isGroup, change }: BarProps) {
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
        label="What is drawn"
        of={modeTexts}
        value={state.mode}
        onValue={(mode) =>
          change({ mode, view: null, column: null, cards: cardsIn(mode, model) }, true)}
      />
      {isGroup && (
        <Checkbox
          label="Among its members"
          checked={state.members}
          onChange={() => change({ members: !state.members, steps: [], selected: [] }, true)}
        />
      )}
      {changed && (
        <Button
          variant="quiet"
          title="As the drawing was at the start"
          onClick={() =>
            change({ steps: [], unfolded: [], folded: [], cards: [], column: null }, true)}
        >
          Reset
        </Button>
      )}
    </>
  );
}

/** Where columns are drawn: the start and the datasets next to it, the nearest first. */
function cardsIn(mode: Mode, model: Model): number[] {
  if (mode !== "columns") return [];
  const graph = walkable(model);
  const hops = hopsFrom(graph, new Set(model.roots));
  const distance = (id: number) => {
    const { upstream, downstream } = hops.get(id) ?? { upstream: null, downstream: null };
    return Math.min(upstream ?? Infinity, downstream ?? Infinity);
  };
  return [...model.nodes.keys()].filter((id) => isDataset(model, id))
    .sort((a, b) => distance(a) - distance(b) || a - b).slice(0, maxFirstCards);
}

/** More cards are opened one by one. */
const maxFirstCards = 8;

const modeTexts = [
  { value: "tables", text: "Tables" },
  { value: "jobs", text: "Tables + jobs" },
  { value: "columns", text: "Columns" },
] as const;

/** How far the drawing goes to one side when it is opened; a change starts it again, and is remembered. */
function ExtentField(
  { side, state, change }: Pick<BarProps, "state" | "change"> & { side: "up" | "down" },
) {
  return (
    <SelectField
      label={side === "up" ? "Hops upstream" : "Hops downstream"}
      hideLabel
      value={String(state[side])}
      options={extents.map((extent) => [String(extent), extentText(extent, side)])}
      onChange={({ target }) => {
        const extent = extentOf(target.value) ?? defaultExtent;
        rememberExtent(side, extent);
        change({ up: state.up, down: state.down, [side]: extent, steps: [], view: null }, true);
      }}
    />
  );
}

function extentText(extent: ExtentValue, side: "up" | "down"): string {
  return extent === "all" ? `All ${side}` : `${extent} ${side}`;
}
