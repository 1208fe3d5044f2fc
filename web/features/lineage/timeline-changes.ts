import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { ask } from "#web/api/client.ts";
import { ApiError } from "#web/api/errors.ts";
import type { EdgeChange } from "#web/features/lineage/timeline-steps.ts";

/** What changed of all lineage in a period, newest first. */
export interface Changes {
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
export function readChanges(days: number) {
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
export function idsSeen(queries: QueryClient, drawing: string, now: Iterable<number>): Set<number> {
  // deno-lint-ignore house/interface-text -- a key of a cache
  const key = ["timeline ids", drawing];
  const seen = queries.getQueryData<Set<number>>(key) ?? new Set();
  const all = seen.union(new Set(now));
  if (all.size > seen.size) queries.setQueryData(key, all);
  return all;
}
