import { Download, Filter, Maximize, PanelBottom } from "lucide-react";
import type { RefObject } from "react";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Checkbox, SearchField, SelectField } from "#web/kit/field.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { oneOf } from "#web/kit/search-params.ts";
import type { Model } from "#web/graph/model.ts";
import type { Scene } from "#web/graph/scene.ts";
import {
  type Change,
  type Depth,
  depths,
  directions,
  type LineageState,
} from "#web/features/lineage/address.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
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
  isGroup: boolean;
  find: RefObject<HTMLInputElement | null>;
  change: Change;
  onJump: (id: number) => void;
  csv: () => Promise<void>;
}

/** What can be done with the whole drawing. */
export function LineageBar(props: BarProps) {
  const { model, state, viewport, scene, name, find, change, onJump, csv } = props;
  return (
    <div className={styles.bar}>
      <div className={styles.find}>
        <Find model={model} box={find} onJump={onJump} />
      </div>
      <FilterMenu model={model} filters={state} onChange={(some) => change(some, true)} />
      <Extent {...props} />
      <span className="grow" />
      <IconButton label="Fit all in" variant="plain" onClick={() => viewport?.fit()}>
        <Maximize />
      </IconButton>
      <Button
        aria-pressed={state.panel}
        onClick={() => change({ panel: !state.panel })}
      >
        <PanelBottom aria-hidden />Impact
      </Button>
      {viewport && scene && <ExportMenu {...{ viewport, scene, name }} onCsv={csv} />}
    </div>
  );
}

/** What is drawn: how far, which way, and what of it. */
function Extent({ state, isGroup, change }: BarProps) {
  const changed = [state.steps, state.unfolded, state.cards].some(({ length }) => length > 0);
  return (
    <>
      <TimeMenu asOf={state.asOf} change={change} />
      {!state.members && (
        <>
          <DepthField state={state} change={change} />
          <DirectionField state={state} change={change} />
        </>
      )}
      <Checkbox
        label="Jobs as lines"
        checked={state.jobs}
        onChange={() => change({ jobs: !state.jobs }, true)}
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
          onClick={() => change({ steps: [], unfolded: [], cards: [], column: null }, true)}
        >
          Reset
        </Button>
      )}
    </>
  );
}

/** How far the drawing goes when it is opened; a change starts it again. */
function DepthField({ state, change }: Pick<BarProps, "state" | "change">) {
  return (
    <SelectField
      label="Steps"
      hideLabel
      value={String(state.depth)}
      options={depths.map((depth) => [String(depth), depthText(depth)])}
      onChange={({ target }) => {
        const depth = depths.find((one) => String(one) === target.value) ?? 1;
        change({ depth, steps: [] }, true);
      }}
    />
  );
}

function depthText(depth: Depth): string {
  if (depth === "all") return "All the way";
  return depth === 1 ? "1 step" : `${depth} steps`;
}

/** Which way the drawing goes when it is opened; a change starts it again. */
function DirectionField({ state, change }: Pick<BarProps, "state" | "change">) {
  return (
    <SelectField
      label="Direction"
      hideLabel
      value={state.only ?? ""}
      options={[["", "each way"], ["upstream", "to what feeds it"], [
        "downstream",
        "to what it feeds",
      ]]}
      onChange={({ target }) =>
        change({ only: oneOf(target.value, directions) ?? null, steps: [] }, true)}
    />
  );
}
