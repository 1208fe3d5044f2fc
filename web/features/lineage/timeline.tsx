import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { IconButton } from "#web/kit/button.tsx";
import { SelectField } from "#web/kit/field.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { exactTime } from "#web/kit/time.tsx";
import type { Model } from "#web/graph/model.ts";
import type { Change } from "#web/features/lineage/address.ts";
import {
  type EdgeChange,
  momentOf,
  periods,
  positionOf,
  stepsOf,
  type TimeStep,
} from "#web/features/lineage/timeline-steps.ts";
import styles from "#web/features/lineage/timeline.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import { ask } from "#web/api/client.ts";
import { ApiError } from "#web/api/errors.ts";

interface Props {
  asOf: string | null;
  model: Model;
  change: Change;
}

/** Steps through the times at which edges of the drawing came and went. */
export function Timeline({ days, ...props }: Props & { days: number }) {
  const [, setParams] = useParamsOfView();
  const query = useQuery(readChanges(days));
  return (
    <section className={styles.timeline} aria-label={t("lineage.changesInTime")}>
      <div className={styles.controls}>
        <SelectField
          label={t("lineage.period")}
          hideLabel
          value={String(days)}
          options={periods.map((one) => [String(one), t("lineage.inTheLastDays", { count: one })])}
          onChange={({ target }) => setParams({ timeline: target.value })}
        />
        <IconButton
          label={t("lineage.closeTheChanges")}
          small
          onClick={() => setParams({ timeline: undefined })}
        >
          <X />
        </IconButton>
      </div>
      <div className={styles.room}>
        <Shown of={query} what={t("lineage.changes2")} bones={2}>
          {(changes) => <Steps key={days} {...props} changes={changes} />}
        </Shown>
      </div>
    </section>
  );
}

function Steps({ asOf, model, change, changes }: Props & { changes: Changes }) {
  const [params] = useParamsOfView();
  const { id } = useParams({ strict: false });
  const queries = useQueryClient();
  const steps = useMemo(
    () => stepsOf(changes.items, idsSeen(queries, String(id ?? params.ids), model.nodes.keys())),
    [changes, queries, id, params.ids, model],
  );
  const since = exactTime(changes.from);
  if (steps.length === 0) {
    return (
      <p className="soft">
        <Rich of="lineage.noEdgeChanged" values={{ since }} />
      </p>
    );
  }
  return (
    <TimelineSlider
      {...{ steps, asOf, change }}
      about={changes.whole
        ? t("lineage.changesSince", { count: steps.length, since })
        : t("lineage.someChangesSince", { count: steps.length, since })}
    />
  );
}

/** What changed of all lineage in a period, newest first. */
interface Changes {
  items: EdgeChange[];
  /** Since when; later than asked for where the history begins later, or where there was too much. */
  from: string;
  whole: boolean;
}

const path = "/api/lineage/changes";
/** Maximum number of pages that are read. */
const pages = 5;
const [dayMs, minuteMs] = [86_400_000, 60_000];

/** Edges that came and went in the last days. */
function readChanges(days: number) {
  return queryOptions({
    queryKey: [path, "timeline", days] as const,
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - days * dayMs).toISOString();
      return await changesFrom(from, signal).catch((refused) => {
        const begin = beginIn(refused);
        if (begin === undefined) throw refused;
        return changesFrom(begin, signal);
      });
    },
    staleTime: minuteMs,
  });
}

async function changesFrom(from: string, signal: AbortSignal): Promise<Changes> {
  const items: EdgeChange[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page++) {
    const query = { from, size: 1_000, cursor };
    const { data } = await ask("get", path, { query, signal });
    items.push(...data.items);
    if (data.cursor === null) return { items, from, whole: true };
    cursor = data.cursor;
  }
  return { items, from: items.at(-1)?.at ?? from, whole: false };
}

/** Where the history begins, which a refusal names; a little later, since that moves on. */
function beginIn(refused: unknown): string | undefined {
  if (!(refused instanceof ApiError) || refused.status !== 400) return undefined;
  const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.exec(refused.message)?.[0];
  return time && new Date(Date.parse(time) + minuteMs).toISOString();
}

/**
 * Entities that a drawing showed at any of the times that were looked at: so a step that was there does not go when its
 * entities are not drawn. Kept next to the answers, for as long as those are.
 */
function idsSeen(queries: QueryClient, drawing: string, now: Iterable<number>): Set<number> {
  // deno-lint-ignore house/interface-text -- a key of a cache
  const key = ["timeline ids", drawing];
  const seen = queries.getQueryData<Set<number>>(key) ?? new Set();
  const all = seen.union(new Set(now));
  if (all.size > seen.size) queries.setQueryData(key, all);
  return all;
}

/** Milliseconds for which the slider rests before the drawing follows it. */
const idleMs = 250;

/** A position after each change, and one before the first; the last is now. */
function TimelineSlider(
  { steps, asOf, change, about }: Omit<Props, "model"> & {
    steps: TimeStep[];
    /** Next to the text for the position of the slider. */
    about: string;
  },
) {
  const [dragged, setDragged] = useState<number>();
  const shown = Math.min(dragged ?? positionOf(steps, asOf), steps.length);
  useEffect(() => {
    if (dragged === undefined) return;
    const timer = setTimeout(() => {
      const moment = momentOf(steps, dragged);
      setDragged(undefined);
      change({ asOf: moment, steps: [], selected: [], ...(moment === null && { compare: false }) });
    }, idleMs);
    return () => clearTimeout(timer);
  }, [dragged, steps]);
  const text = describe(steps, shown);
  return (
    <>
      <div className={styles.slider}>
        <IconButton
          label={t("lineage.earlierChange")}
          small
          disabled={shown === 0}
          onClick={() => setDragged(shown - 1)}
        >
          <ChevronLeft />
        </IconButton>
        <div className={styles.track}>
          <Bars steps={steps} shown={shown} />
          <input
            type="range"
            aria-label={t("lineage.pointInTime")}
            aria-valuetext={text}
            min={0}
            max={steps.length}
            step={1}
            value={shown}
            onChange={({ target }) => setDragged(Number(target.value))}
          />
        </div>
        <IconButton
          label={t("lineage.laterChange")}
          small
          disabled={shown === steps.length}
          onClick={() => setDragged(shown + 1)}
        >
          <ChevronRight />
        </IconButton>
      </div>
      <p className={styles.told}>
        <span aria-hidden>{text}</span> <span className="soft">{about}</span>
      </p>
    </>
  );
}

function describe(steps: readonly TimeStep[], shown: number): string {
  const step = steps[shown - 1];
  if (!step) return t("lineage.beforeTheseChanges");
  const { came, left } = step;
  const what = came > 0 && left > 0
    ? t("lineage.edgesCameAndLeft", { came, left })
    : came > 0
    ? t("lineage.edgesCame", { count: came })
    : t("lineage.edgesLeft", { count: left });
  const values = { time: exactTime(step.at), what };
  return shown === steps.length ? t("lineage.nowLast", values) : t("lineage.afterTime", values);
}

/** What came stands up, what left hangs down; what is ahead of the drawing is pale. */
function Bars({ steps, shown }: { steps: readonly TimeStep[]; shown: number }) {
  const max = steps.reduce((max, { came, left }) => Math.max(max, came, left), 1);
  const height = (value: number) =>
    value === 0 ? 0 : Math.max(3, 14 * Math.log1p(value) / Math.log1p(max));
  const bar = (at: number, y1: number, y2: number, className?: string) => {
    const x = `${((at + 1) / steps.length) * 100}%`;
    return <line x1={x} x2={x} {...{ y1, y2, className }} />;
  };
  return (
    <svg className={styles.bars} aria-hidden>
      {steps.map(({ at, came, left }, index) => (
        <g key={at} opacity={index < shown ? 1 : 0.4}>
          {bar(index, 15, 15 - height(came), styles.came)}
          {bar(index, 17, 17 + height(left), styles.left)}
        </g>
      ))}
    </svg>
  );
}
