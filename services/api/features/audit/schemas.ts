import { z } from "@hono/zod-openapi";
import { auditEventTypes } from "#contract/audit.ts";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const AuditEvent = z.object({
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
