import { z } from "@hono/zod-openapi";
import { everything } from "#services/api/mcp/limits.ts";
import { reachOfColumn } from "#services/api/mcp/column-impact.ts";
import { countByType, reachOf } from "#services/api/mcp/lineage.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import {
  ByType,
  ColumnName,
  Entity,
  Ref,
  ShortEntity,
  shownName,
  Total,
  whole,
} from "#services/api/mcp/shapes.ts";
import { tool } from "#services/api/mcp/tool.ts";
import { concernedBy } from "#services/api/mcp/tools/impact.queries.ts";

const nearest = 20;
const maxOwners = 50;

/** What a change of an entity affects, and whom to notify. */
export const impactOf = tool({
  name: "impact_of",
  title: "Impact of a change",
  description:
    "What depends on an entity, directly or not: how much by type, who owns it, how many alerts are open on it, and " +
    "the nearest dependants. Use it before something is changed or dropped.",
  input: z.strictObject({
    ref: Ref,
    column: ColumnName.optional().describe(
      "Only what is known to use this column of it, in a value, a filter or a join",
    ),
  }),
  output: z.object({
    root: Entity,
    column: z.string().nullable(),
    total: Total.describe("Everything downstream; of a column what is known to use it"),
    of_entity: Total.describe(
      "Everything downstream of the entity: those without column lineage may use the column too",
    ),
    by_type: ByType,
    open_alerts: Total.describe("Open alerts on what is downstream"),
    owners_total: Total,
    owners: z.array(z.object({ name: z.string(), count: Total })).describe(
      "Owners of what is downstream, with how many entities of it each has; the most first",
    ),
    unowned: Total.describe("Downstream entities without an owner"),
    nearest: z.array(ShortEntity.extend({ distance: z.number().int() })),
    ...whole,
  }),
  async answer({ ref, column }, context) {
    const known = await entityOf(context, "ref", ref);
    const question = { root: known, direction: "downstream", depth: everything } as const;
    const whole = await reachOf(context, question);
    const reach = column === undefined ? whole : await reachOfColumn(context, known, column);
    const { nodes, position } = reach;
    for (const id of ["getAlertsList", "getOwnerList"]) await context.ask.allowed(id);
    const concerned = await concernedBy(context.context.db, nodes.map(({ id }) => id), maxOwners);
    const { hollow: _, ...root } = known;
    return {
      root,
      column: column ?? null,
      total: nodes.length,
      of_entity: whole.nodes.length,
      by_type: countByType(nodes),
      ...concerned,
      owners: concerned.owners.map(({ name, count }) => ({ name: shownName(name), count })),
      nearest: nodes.slice(0, nearest)
        .map(({ id, name, type, distance }) => ({ id, name, type, distance })),
      complete: reach.complete && whole.complete,
      position,
    };
  },
});
