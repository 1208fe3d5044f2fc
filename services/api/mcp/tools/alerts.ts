import { z } from "@hono/zod-openapi";
import { alertStatuses, alertTypes } from "#contract/alerts.ts";
import { badRequest } from "#kit/errors.ts";
import { cursorTo, offsetOf } from "#services/api/mcp/cursor.ts";
import { fitting } from "#services/api/mcp/fit.ts";
import { everything } from "#services/api/mcp/limits.ts";
import { reachOf } from "#services/api/mcp/lineage.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import {
  Cursor,
  Entity,
  limitOf,
  NextCursor,
  Ref,
  shownName,
  shownText,
  Total,
} from "#services/api/mcp/shapes.ts";
import { tool, type ToolContext } from "#services/api/mcp/tool.ts";
import { type AlertItem, alertsPage, maxMessages } from "#services/api/mcp/tools/alerts.queries.ts";

const name = "list_alerts";

const input = z.strictObject({
  status: z.enum(alertStatuses).default("OPEN"),
  type: z.enum(alertTypes).optional(),
  ref: Ref.optional().describe(
    "Only alerts on this entity: id, CATRN, exact name or qualified name",
  ),
  upstream_of: Ref.optional().describe(
    "Only alerts on what this entity is made of, directly or not: why it may be wrong",
  ),
  limit: limitOf(50, 20),
  cursor: Cursor.optional(),
});
type ToolInput = z.output<typeof input>;

const Item = z.object({
  id: z.number().int(),
  type: z.string(),
  status: z.string(),
  entity: Entity.nullable().describe("null: it is about a data source, or about nothing known"),
  data_source: z.string().nullable(),
  opened_at: z.string(),
  last_raised_at: z.string(),
  messages: z.array(z.string()).describe(`What was said of it, the last ${maxMessages}`),
  messages_total: Total,
});

/** What is wrong in the catalogue. */
export const listAlerts = tool({
  name,
  title: "Alerts",
  description:
    "Alerts (failed jobs and tests, broken schemas, anomalies), the last raised first: of everything, of one entity, " +
    "or of all that an entity is made of.",
  input,
  output: z.object({
    total: Total,
    items: z.array(Item),
    complete: z.boolean().describe(
      "false: a budget ended the walk of upstream_of, there may be more",
    ),
    cursor: NextCursor,
  }),
  async answer(given, context) {
    await context.ask.allowed("getAlertsList");
    const offset = offsetOf(name, given);
    const { entities, complete } = await entitiesOf(context, given);
    const { status, type, limit } = given;
    const question = { status, type, entities };
    const { total, items } = await alertsPage(context.context.db, question, { limit, offset });
    const fitted = fitting(items.map(itemOf), {});
    return {
      total,
      items: fitted,
      complete,
      cursor: cursorTo(name, given, offset + fitted.length, total),
    };
  },
});

async function entitiesOf(context: ToolContext, { ref, upstream_of }: ToolInput) {
  if (ref !== undefined && upstream_of !== undefined) {
    const message = "cannot be given with ref: ask for one of them";
    throw badRequest(`upstream_of ${message}`, [{ field: "upstream_of", message }]);
  }
  if (ref !== undefined) {
    const { id } = await entityOf(context, "ref", ref);
    await context.ask.allowed("getDataEntityAlertsList", { data_entity_id: String(id) });
    return { entities: [id], complete: true };
  }
  if (upstream_of === undefined) return { entities: null, complete: true };
  const root = await entityOf(context, "upstream_of", upstream_of);
  const { nodes, complete } = await reachOf(context, {
    root,
    direction: "upstream",
    depth: everything,
  });
  return { entities: nodes.map(({ id }) => id), complete };
}

function itemOf(item: AlertItem): AlertItem {
  return {
    ...item,
    entity: item.entity && { ...item.entity, name: shownName(item.entity.name) },
    data_source: item.data_source && shownName(item.data_source),
    messages: item.messages.map((message) => shownText(message)!),
  };
}
