import { z } from "@hono/zod-openapi";
import { runStatuses } from "#contract/entities.ts";
import { Instant } from "#contract/ingestion/values.ts";
import { notFound } from "#kit/errors.ts";
import { fitting } from "#services/api/mcp/fit.ts";
import { maxRunMetadata } from "#services/api/mcp/limits.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import { Entity, limitOf, Ref, shownName, shownText, Total } from "#services/api/mcp/shapes.ts";
import { tool } from "#services/api/mcp/tool.ts";
import { runsOf, type RunWithMetadata } from "#services/api/mcp/tools/runs.queries.ts";

export const RunShape = z.object({
  name: z.string(),
  start: z.string(),
  end: z.string().nullable(),
  status: z.string(),
  reason: z.string().nullable(),
});

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
    const runs = await runsOf(context.context.db, entity.id, given);
    if (!runs) throw notFound("Data entity", entity.id);
    const { by_status } = runs;
    const counts = new Map(Object.entries(by_status));
    const total = given.status === undefined
      ? [...counts.values()].reduce((sum, count) => sum + count, 0)
      : counts.get(given.status) ?? 0;
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
