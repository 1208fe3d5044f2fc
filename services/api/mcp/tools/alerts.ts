import { z } from "@hono/zod-openapi";
import { alertStatusCode, alertStatuses, alertTypeCode, alertTypes } from "#contract/alerts.ts";
import { badRequest } from "#kit/errors.ts";
import { type JsonRow, plannedEachTime } from "#metadata/postgres/statement.ts";
import {
  Cursor,
  cursorTo,
  Entity,
  fitting,
  limitOf,
  nameOf,
  NextCursor,
  offsetOf,
  Ref,
  shownName,
  shownText,
  start,
  Total,
  typeOf,
} from "#services/api/mcp/shapes.ts";
import { everything, shownCharacters } from "#services/api/mcp/limits.ts";
import { reachOf } from "#services/api/mcp/lineage.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import { tool, type ToolContext } from "#services/api/mcp/tool.ts";

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

/** Messages of an alert that are shown. */
const maxMessages = 3;

const shown = `
  a.status = $1::smallint AND ($2::smallint IS NULL OR a.type = $2)
  AND ($3::bigint[] IS NULL OR a.entity_id = ANY ($3::bigint[]))
  AND (a.entity_id IS NULL OR is_live(e.status))`;
const from = "alert a LEFT JOIN data_entity e ON e.id = a.entity_id";
const messages = `
  (SELECT coalesce(json_agg(${
  start("c.description")
} ORDER BY c.created_at DESC, c.id DESC), '[]') FROM (
    SELECT * FROM alert_chunk WHERE alert_id = a.id ORDER BY created_at DESC, id DESC
     LIMIT ${maxMessages}) c)`;

/** One page of the alerts that lists show, the last raised first. */
// It is planned for its values each time, so that conditions which are absent cost nothing.
const page = plannedEachTime<JsonRow>("mcp-alerts")`
  SELECT json_build_object(
    'total', (SELECT count(*) FROM ${from} WHERE ${shown}),
    'items', (SELECT coalesce(json_agg(json_build_object(
        'id', a.id, 'type', alert_type_name(a.type), 'status', alert_status_name(a.status),
        'entity', CASE WHEN e.id IS NOT NULL THEN json_build_object(
          'id', e.id, 'catrn', e.catrn, 'name', ${nameOf("e")}, 'type', ${typeOf("e")}) END,
        'data_source', ${start("s.name", shownCharacters.name)},
        'opened_at', iso(a.created_at), 'last_raised_at', iso(a.last_created_at),
        'messages', ${messages},
        'messages_total', (SELECT count(*) FROM alert_chunk c WHERE c.alert_id = a.id))
        ORDER BY a.last_created_at DESC, a.id DESC), '[]')
      FROM (SELECT a.* FROM ${from} WHERE ${shown}
             ORDER BY a.last_created_at DESC, a.id DESC LIMIT $4 OFFSET $5) a
      LEFT JOIN data_entity e ON e.id = a.entity_id
      LEFT JOIN data_source s ON s.id = coalesce(a.data_source_id, e.data_source_id)))::text AS json`;

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
type Item = z.output<typeof Item>;

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
    const type = given.type ? alertTypeCode(given.type) : null;
    const values = [alertStatusCode(given.status), type, entities, given.limit, offset];
    const [row] = await context.context.db.query(page, values);
    const { total, items } = JSON.parse(row!.json) as { total: number; items: Item[] };
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
  const question = { root, direction: "upstream", depth: everything } as const;
  const { nodes, complete } = await reachOf(context, question);
  return { entities: nodes.map(({ id }) => id), complete };
}

function itemOf(item: Item): Item {
  return {
    ...item,
    entity: item.entity && { ...item.entity, name: shownName(item.entity.name) },
    data_source: item.data_source && shownName(item.data_source),
    messages: item.messages.map((message) => shownText(message)!),
  };
}
