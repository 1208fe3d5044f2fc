import { z } from "@hono/zod-openapi";
import { runStatuses } from "#contract/entities.ts";
import { Instant } from "#contract/ingestion/values.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { foundJson } from "#services/api/list-json.ts";
import {
  Entity,
  fitting,
  limitOf,
  Ref,
  shownName,
  shownText,
  start,
  Total,
} from "#services/api/mcp/shapes.ts";
import { maxRunMetadata, shownCharacters } from "#services/api/mcp/limits.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import { tool } from "#services/api/mcp/tool.ts";

export const RunShape = z.object({
  name: z.string(),
  start: z.string(),
  end: z.string().nullable(),
  status: z.string(),
  reason: z.string().nullable(),
});

/** A run with the metadata of its source, by name. */
interface RunWithMetadata extends z.output<typeof RunShape> {
  metadata: [name: string, value: string][] | null;
}

interface Runs {
  /** Of any status. */
  by_status: Record<string, number>;
  items: RunWithMetadata[];
}

const members = `'name', ${start("r.name", shownCharacters.name)},
    'start', iso(r.start_time), 'end', iso(r.end_time), 'status', r.status, 'reason', ${
  start("r.status_reason")
}`;

/** SQL of a run `r` as it is shown. */
export const runJson = `json_build_object(${members})`;
const runWithMetadataJson = `json_build_object(${members}, 'metadata', (
    SELECT json_agg(json_build_array(${start("m.key", shownCharacters.name)}, ${start("m.value")}))
      FROM jsonb_each_text(r.metadata) m))`;
export const lastFirst = "coalesce(r.end_time, r.start_time) DESC, r.catrn DESC";

const wanted =
  "r.task_id = e.id AND ($2::timestamptz IS NULL OR coalesce(r.end_time, r.start_time) >= $2)";
/** The last $4 runs since $2 of the status $3 of a transformer or test, and how many there are; no row for a hollow entity. */
const runsOf = statement<JsonRow>("mcp-runs")`
  SELECT json_build_object(
      'by_status', (SELECT coalesce(json_object_agg(status, runs), '{}') FROM (
        SELECT r.status, count(*) AS runs FROM task_run r WHERE ${wanted} GROUP BY 1) each),
      'items', (SELECT coalesce(json_agg(${runWithMetadataJson} ORDER BY ${lastFirst}), '[]') FROM (
        SELECT r.* FROM task_run r WHERE ${wanted} AND ($3::text IS NULL OR r.status = $3)
         ORDER BY ${lastFirst} LIMIT $4) r))::text AS json
    FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

/** How a job or a test went. */
export const getRuns = tool({
  name: "get_runs",
  title: "Runs of a job or test",
  description:
    "The last runs of a job, view or data quality test, the last to end first, with how many there are by status " +
    "and further metadata from their source.",
  input: z.strictObject({
    ref: Ref,
    status: z.enum(runStatuses).optional(),
    since: Instant.optional().describe("Only runs that ended, or began, at this time or later"),
    limit: limitOf(50, 10),
  }),
  output: z.object({
    entity: Entity,
    total: Total.describe("Runs with the requested status"),
    by_status: z.record(z.string(), Total).describe("Runs of every status since then"),
    items: z.array(RunShape.extend({
      metadata: z.record(z.string(), z.string()).nullable().describe(
        "Further metadata from its source, such as its engine or what started it; null: none",
      ),
    })),
  }),
  async answer({ ref, ...given }, context) {
    const { hollow: _, ...entity } = await entityOf(context, "ref", ref);
    await context.ask.allowed("getRuns", { data_entity_id: String(entity.id) });
    const { since = null, status = null, limit } = given;
    const rows = await context.context.db.query(runsOf, [entity.id, since, status, limit]);
    const runs = JSON.parse(foundJson(rows, "Data entity", entity.id)) as Runs;
    const { by_status } = runs;
    const counts = new Map(Object.entries(by_status));
    const total = status === null
      ? [...counts.values()].reduce((sum, count) => sum + count, 0)
      : counts.get(status) ?? 0;
    const result = { entity, total, by_status };
    return { ...result, items: fitting(runs.items.map(runAnswer), result) };
  },
});

/** A run with the texts of others as long as they are shown. */
function runAnswer({ metadata, ...run }: RunWithMetadata) {
  const shown = metadata?.map(([name, value]) => [shownName(name), shownText(value)!] as const);
  return {
    ...run,
    name: shownName(run.name),
    reason: shownText(run.reason),
    metadata: shown ? Object.fromEntries(fitting(shown, null, maxRunMetadata)) : null,
  };
}
