import { z } from "@hono/zod-openapi";
import { AssetHealthList, maxHealths } from "#contract/catalogue/asset-health.ts";
import type { RunStatus } from "#contract/entities.ts";
import { idListQuery } from "#contract/http.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";

const healthSpec = operation({
  id: "getDataEntitiesHealth",
  method: "get",
  path: "/api/dataentities/health",
  tag: "dataEntity",
  access: "signed-in",
  summary: "Freshness, last run, tests, open alerts and owners of several entities",
  query: z.object({
    ids: idListQuery("ids", maxHealths, "Ids of the entities"),
  }),
  responses: { 200: { description: "In the order of the request", schema: AssetHealthList } },
});

/** The operation that returns the current health of entities. */
export function assetHealthRoutes(context: Context): Route[] {
  return [
    serve(healthSpec, async ({ query }) => ok({ items: await readHealth(context, query.ids) })),
  ];
}

/** Updates of an entity from which its rhythm is taken. */
const maxUpdates = 10;

/** AssetHealth of each of these entities that is visible, in their order, each once. */
async function readHealth({ db, clock }: Pick<Context, "db" | "clock">, ids: number[]) {
  const rows = await db.query(healthOf, [[...new Set(ids)], maxUpdates]);
  return rows.map(({ id, updates, ...row }) => (
    { id, freshness: freshnessOf(updates, clock.now()), ...row }
  ));
}

interface HealthRow {
  id: number;
  /** Milliseconds since 1970, newest first, each once. */
  updates: number[];
  last_run: { status: RunStatus; at: string } | null;
  tests: { total: number; success_total: number; failed_total: number };
  open_alerts: number;
  owners: { id: number; name: string }[];
  columns_total: number;
}

/**
 * $1 ids, $2 number of updates. A row for each visible one in their order. It was updated when its source says so, and
 * when a job that writes it succeeded; of very many jobs the first hundred count.
 */
const healthOf = statement<HealthRow>("asset-health")`
SELECT e.id,
       ARRAY(SELECT u.at FROM (
         SELECT DISTINCT (extract(epoch FROM r.ended) * 1000)::float8 AS at
           FROM (SELECT l.parent_id FROM lineage_edge l WHERE l.child_id = e.id AND l.live LIMIT 100) l,
                LATERAL (SELECT coalesce(r.end_time, r.start_time) AS ended FROM task_run r
                          WHERE r.task_id = l.parent_id AND r.kind = 'TRANSFORMER' AND r.status = 'SUCCESS'
                          ORDER BY coalesce(r.end_time, r.start_time) DESC LIMIT $2::int) r
         UNION
         SELECT (extract(epoch FROM e.source_updated_at) * 1000)::float8 WHERE e.source_updated_at IS NOT NULL
         ORDER BY at DESC LIMIT $2::int) u ORDER BY u.at DESC) AS updates,
       (SELECT json_build_object('status', r.status, 'at', iso(coalesce(r.end_time, r.start_time)))
          FROM task_run r WHERE r.task_id = e.id
         ORDER BY coalesce(r.end_time, r.start_time) DESC, r.catrn DESC LIMIT 1) AS last_run,
       json_build_object('total', coalesce(t.total, 0), 'success_total', coalesce(t.success, 0),
                         'failed_total', coalesce(t.failed, 0)) AS tests,
       (SELECT count(*) FROM alert a WHERE a.entity_id = e.id AND a.status = 1) AS open_alerts,
       coalesce((SELECT json_agg(json_build_object('id', o.id, 'name', o.name) ORDER BY s.id)
                   FROM ownership s JOIN owner o ON o.id = s.owner_id WHERE s.entity_id = e.id),
                '[]'::json) AS owners,
       coalesce((SELECT cardinality(v.field_ids) FROM dataset_version v
                  WHERE v.dataset_id = e.id ORDER BY v.version DESC LIMIT 1), 0) AS columns_total
  FROM unnest($1::bigint[]) WITH ORDINALITY requested(id, place)
  JOIN data_entity e ON e.id = requested.id AND is_live(e.status)
  LEFT JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE o.finished = 'SUCCESS') AS success,
           count(*) FILTER (WHERE o.finished = 'FAILED') AS failed
      FROM dataset_tests(e.id) d LEFT JOIN LATERAL test_outcome(d.test_id) o ON true
     WHERE 1 = ANY (e.class_ids)) t ON true
 ORDER BY requested.place`;

/** Fewer updates say nothing about a rhythm. */
const minUpdates = 5;

/** An entity is late after so many usual gaps. */
const lateAfter = 2;

interface FreshnessAnswer {
  state: "FRESH" | "LATE";
  /** ISO 8601 in UTC. */
  last_updated_at: string;
  usual_gap_seconds: number;
}

/**
 * Whether an entity was updated as usual. `updates` are the last ones, newest first, in milliseconds since 1970; `now`
 * likewise. The usual gap is the median of the gaps between them. Null where fewer than five updates are known, or all
 * are of one moment.
 */
export function freshnessOf(updates: readonly number[], now: number): FreshnessAnswer | null {
  if (updates.length < minUpdates) return null;
  const gaps = updates.slice(1).map((at, index) => updates[index]! - at).sort((a, b) => a - b);
  const middle = gaps.length >> 1;
  const median = gaps.length % 2 === 1 ? gaps[middle]! : (gaps[middle - 1]! + gaps[middle]!) / 2;
  if (median <= 0) return null;
  const last = updates[0]!;
  return {
    state: now - last > lateAfter * median ? "LATE" : "FRESH",
    last_updated_at: new Date(last).toISOString(),
    usual_gap_seconds: Math.round(median / 1_000),
  };
}
