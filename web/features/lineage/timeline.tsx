import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useMemo } from "react";
import { IconButton } from "#web/kit/button.tsx";
import { SelectField } from "#web/kit/field.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { exactTime } from "#web/kit/time.tsx";
import type { Model } from "#web/graph/model.ts";
import type { Change } from "#web/features/lineage/address.ts";
import { TimelineSlider } from "#web/features/lineage/timeline-slider.tsx";
import { type EdgeChange, periods, stepsOf } from "#web/features/lineage/timeline-steps.ts";
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
    <TimelineSlider steps={steps} asOf={asOf} change={change}>
      <span className="soft">
        {changes.whole
          ? t("lineage.changesSince", { count: steps.length, since })
          : t("lineage.someChangesSince", { count: steps.length, since })}
      </span>
    </TimelineSlider>
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
    const { data } = await ask("get", path, { params: { query }, signal });
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
