import { z } from "@hono/zod-openapi";
import { auditEventTypes } from "#contract/audit.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { enumQuery, Id, pageQueryWithDefaults, timeQuery, Timestamp } from "#contract/http.ts";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import * as service from "#services/api/features/audit/service.ts";

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

const listSpec = operation({
  id: "getAuditEvents",
  method: "get",
  path: "/api/audit",
  tag: "audit",
  document: "platform",
  summary: "Who signed in or was refused, and who changed tokens, roles, policies and owners",
  access: { permission: "AUDIT_VIEW", on: "MANAGEMENT" },
  query: z.object({
    ...pageQueryWithDefaults,
    type: enumQuery("type", [...auditEventTypes]),
    actor: searchQuery("actor", "Name of the user, exact match"),
    begin_date: timeQuery("begin_date"),
    end_date: timeQuery("end_date"),
  }),
  responses: { 200: { description: "One page, newest first", schema: AuditEventList } },
  secret: true,
});

/** The operation that auditors read with. */
export function auditRoutes(context: Context): Route[] {
  return [
    serve(listSpec, async ({ query }) => {
      const { page, size, type, actor, begin_date: begin, end_date: end } = query;
      return okJson(await service.listAudit(context, { type, actor, begin, end }, { page, size }));
    }),
  ];
}
