import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { runStatuses } from "#contract/entities.ts";
import { Id, storableParameter, Timestamp } from "#contract/http.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { segment } from "#platform/naming/openlineage/names.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { itemsJson } from "#services/api/list-json.ts";

const OpenLineageRun = z.object({
  entity_id: optional(Id).openapi({
    description: "The run as runs of its job are listed; null until it is in the catalogue",
  }),
  job_entity_id: optional(Id).openapi({ description: "Its job; null until that is catalogued" }),
  job_catrn: z.string(),
  state: optional(z.enum(runStatuses)).openapi({
    description: "What it has come to; null until it was composed",
  }),
  started_at: Timestamp,
  ended_at: optional(Timestamp),
  events: z.number().int().openapi({
    format: "int64",
    description: "Different events of it, each once however often it came; at most 100 are counted",
  }),
  last_event_at: Timestamp,
}).openapi("OpenLineageRun");

const OpenLineageRunList = z.object({ items: z.array(OpenLineageRun) })
  .openapi("OpenLineageRunList");

const Count = z.number().int().openapi({ format: "int64" });

const OpenLineageRunDataset = z.object({
  entity_id: optional(Id).openapi({ description: "Null until it is in the catalogue" }),
  catrn: z.string(),
  namespace: z.string(),
  name: z.string().openapi({ description: "As the events of this run name it" }),
  version: optional(z.string()).openapi({ description: "`datasetVersion` of the facet `version`" }),
  rows: optional(Count),
  bytes: optional(Count),
  files: optional(Count),
}).openapi("OpenLineageRunDataset");

const OpenLineageRunSide = z.object({
  total: Count.openapi({ description: "How many there are; at most 200 are listed" }),
  items: z.array(OpenLineageRunDataset),
}).openapi("OpenLineageRunSide");

const OpenLineageRunLineage = z.object({
  job_entity_id: optional(Id),
  job_catrn: z.string(),
  state: optional(z.enum(runStatuses)),
  inputs: OpenLineageRunSide,
  outputs: OpenLineageRunSide,
}).openapi("OpenLineageRunLineage");

const OpenLineageRunLineageList = z.object({ items: z.array(OpenLineageRunLineage) })
  .openapi("OpenLineageRunLineageList");

const runIdIn = (place: "query" | "path") =>
  storableParameter.min(1).openapi({
    param: { name: "run_id", in: place, required: true, description: "`runId` of the events" },
  });

const runsSpec = operation({
  id: "getOpenLineageRuns",
  method: "get",
  path: "/api/openlineage/runs",
  tag: "openlineage",
  summary: "Status of a run from OpenLineage events",
  access: "signed-in",
  query: z.object({ run_id: runIdIn("query") }),
  responses: {
    200: {
      description: "The runs of this id; of a UUID there is one at most",
      schema: OpenLineageRunList,
    },
  },
});

const lineageSpec = operation({
  id: "getOpenLineageRunLineage",
  method: "get",
  path: "/api/openlineage/runs/{run_id}/lineage",
  tag: "openlineage",
  summary: "What a run from OpenLineage events read and wrote, with the versions of the datasets",
  access: "signed-in",
  params: z.object({ run_id: runIdIn("path") }),
  errors: [],
  responses: {
    200: {
      description: "The runs of this id; none when no event reported it",
      schema: OpenLineageRunLineageList,
    },
  },
});

/** Runs of OpenLineage, by the ids that their events give them. */
export function openLineageRunRoutes({ db }: Pick<Context, "db">): Route[] {
  return [
    serve(runsSpec, async ({ query }) => {
      const id = storedId(query.run_id);
      return (await db.query(runsOf, [id, segment(id)]))[0]!.json;
    }),
    serve(lineageSpec, async ({ params }) => {
      return (await db.query(lineageOfRuns, [storedId(params.run_id)]))[0]!.json;
    }),
  ];
}

// expression-ok -- fixed lengths
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** UUIDs are stored in lower case. */
const storedId = (runId: string) => uuid.test(runId) ? runId.toLowerCase() : runId;

/** Maximum number of datasets of a side that are listed for a run; the total counts all. */
const maxListed = 200;

const wholeNumber = (facet: string, member: string) =>
  `CASE WHEN (state #>> '{facets,${facet},v,${member}}') ~ '^[0-9]{1,18}$'
        THEN (state #>> '{facets,${facet},v,${member}}')::bigint END`;

/** The inputs or outputs of the run `f` that count: those since its last complete snapshot. */
const sideJson = (name: "inputs" | "outputs", statistics: string) => `
  (SELECT json_build_object('total', count(*), 'items', coalesce(json_agg(json_build_object(
      'entity_id', entity_id, 'catrn', catrn, 'namespace', state #>> '{name,namespace}',
      'name', state #>> '{name,name}', 'version', state #>> '{facets,version,v,datasetVersion}',
      'rows', ${wholeNumber(statistics, "rowCount")}, 'bytes', ${wholeNumber(statistics, "size")},
      'files', ${
  wholeNumber(statistics, "fileCount")
}) ORDER BY n) FILTER (WHERE n <= ${maxListed}), '[]'))
     FROM (SELECT e.id AS entity_id, coalesce(d.catrn, i.dataset_key) AS catrn, i.state::jsonb AS state,
                  row_number() OVER (ORDER BY coalesce(d.catrn, i.dataset_key), i.dataset_key) AS n
             FROM ol_run_io i LEFT JOIN ol_dataset d ON d.key = i.dataset_key
             LEFT JOIN data_entity e ON e.catrn = coalesce(d.catrn, i.dataset_key) AND NOT e.hollow
            WHERE i.run_key = f.key AND i.side = '${name}'
              AND i.t >= coalesce((f.state::jsonb ->> 'snapshot')::bigint, 0)) s)`;

/** Maximum number of runs that one id gives: ids that are no UUIDs may be used by several jobs. */
const maxRuns = 100;

/** The runs `found` of the id $1 with their jobs, those of the newest events first. */
const foundRuns = `found AS (
    SELECT r.*, j.id AS job_id FROM ol_run r
      LEFT JOIN data_entity j ON j.catrn = r.job_key AND NOT j.hollow
     WHERE r.run_id = $1 ORDER BY r.last_seen DESC, r.key LIMIT ${maxRuns})`;

const isoTime = (ms: string) => `iso(to_timestamp(${ms} / 1000.0))`;

/** What events reported about the runs of an id (OpenLineageRunList), those of the newest events first. */
const runsOf = statement<JsonRow>("openlineage-runs")`
  WITH ${foundRuns}
  SELECT json_build_object('items', ${
  itemsJson({
    each: `json_build_object(
      'entity_id', (SELECT t.id FROM task_run t WHERE t.catrn = f.job_key || '/runs/' || $2),
      'job_entity_id', f.job_id, 'job_catrn', f.job_key, 'state', f.status,
      'started_at', ${isoTime("f.began")}, 'ended_at', ${isoTime("f.ended_at")}, 'events', f.events,
      'last_event_at', ${isoTime("f.last_seen")})`,
    by: "f.last_seen DESC, f.key",
    from: "found f",
  })
})::text AS json`;

/** What the runs of an id read and wrote (OpenLineageRunLineageList). */
const lineageOfRuns = statement<JsonRow>("openlineage-run-lineage")`
  WITH ${foundRuns}
  SELECT json_build_object('items', ${
  itemsJson({
    each: `json_build_object(
      'job_entity_id', f.job_id, 'job_catrn', f.job_key, 'state', f.status,
      'inputs', ${sideJson("inputs", "inputStatistics")},
      'outputs', ${sideJson("outputs", "outputStatistics")})`,
    by: "f.last_seen DESC, f.key",
    from: "found f",
  })
})::text AS json`;
