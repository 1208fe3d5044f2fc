import { z } from "@hono/zod-openapi";
import { auditEventTypes } from "#contract/audit.ts";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import {
  enumQuery,
  Id,
  pageQueryWithDefaults,
  pageWindow,
  timeQuery,
  Timestamp,
} from "#contract/http.ts";
import { type JsonRow, plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { listJson } from "#services/api/list-json.ts";

const AuditEvent = z.object({
  id: Id,
  type: z.enum(auditEventTypes).openapi("AuditEventType"),
  actor: optional(z.string()).openapi({
    description: "The user, or the given name; null if not signed in",
  }),
  actor_provider: optional(z.string()).openapi({
    description: "The identity provider of that name; null for users of the configuration",
  }),
  actor_kind: z.enum(["USER", "SYSTEM", "SERVICE_KEY", "COLLECTOR"]).openapi("AuditActorKind"),
  address: optional(z.string()).openapi({ description: "Address that the call came from" }),
  subject: optional(z.string()).openapi({ description: "What it was done to, in words" }),
  recorded_at: Timestamp,
}).openapi("AuditEvent");
export const AuditEventList = pageOf("AuditEventList", AuditEvent);

/** An absent member does not restrict; `begin_date` is inclusive, `end_date` is not. */
const AuditQuery = z.object({
  ...pageQueryWithDefaults,
  type: enumQuery("type", [...auditEventTypes]),
  actor: searchQuery("actor", "Name of the user, exact match"),
  begin_date: timeQuery("begin_date"),
  end_date: timeQuery("end_date"),
});

const listSpec = operation({
  id: "getAuditEvents",
  method: "get",
  path: "/api/audit",
  tag: "audit",
  summary: "Who signed in or was refused, and who changed tokens, roles, policies and owners",
  access: { permission: "AUDIT_VIEW", on: "MANAGEMENT" },
  query: AuditQuery,
  responses: { 200: { description: "One page, newest first", schema: AuditEventList } },
  secret: true,
});

/** The operation that auditors read with. */
export function auditRoutes(context: Context): Route[] {
  return [serve(listSpec, ({ query }) => listAudit(context, query))];
}

// Planned for its values each time, so that absent conditions cost nothing.
const matches = `
  ($1::text IS NULL OR a.type = $1) AND ($2::text IS NULL OR a.actor = $2)
  AND ($3::timestamptz IS NULL OR a.recorded_at >= $3)
  AND ($4::timestamptz IS NULL OR a.recorded_at < $4)`;

const eventJson = `
  json_build_object('id', a.id, 'type', a.type, 'actor', a.actor,
    'actor_provider', nullif(a.actor_provider, ''),
    'actor_kind', upper(replace(a.actor_kind, '-', '_')),
    'address', a.address, 'subject', a.subject, 'recorded_at', iso(a.recorded_at))`;

const list = plannedEachTime<JsonRow>("audit-list")`
  WITH total AS (SELECT count(*) AS n FROM audit_event a WHERE ${matches}),
  page AS (
    SELECT * FROM audit_event a WHERE ${matches}
     ORDER BY a.recorded_at DESC, a.id DESC LIMIT $5 OFFSET $6)
  SELECT ${
  listJson({
    each: eventJson,
    by: "a.recorded_at DESC, a.id DESC",
    from: "page a",
    total: "total.n",
    window: ["$5", "$6"],
  })
}::text AS json
    FROM total`;

/** One page of what was retained for auditors, newest first; AuditEventList as JSON text. */
async function listAudit(
  { db }: Pick<Context, "db">,
  query: z.output<typeof AuditQuery>,
): Promise<string> {
  const { type = null, actor = null, begin_date = null, end_date = null } = query;
  const { limit, offset } = pageWindow(query);
  const values = [type, actor, begin_date, end_date, limit, offset];
  return (await db.query(list, values))[0]!.json;
}
