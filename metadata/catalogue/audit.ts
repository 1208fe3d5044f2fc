import type { Actor } from "#contract/actor.ts";
import type { AuditEventType } from "#contract/audit.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** What somebody did that auditors ask for. It holds no secret, nor a part of one. */
export interface AuditEvent {
  type: AuditEventType;
  /** `address`: the remote address of the request. */
  actor: Actor & { address?: string };
  /** What it was done to, in words: `policy 12 Analysts`. */
  subject?: string;
}

const insert = statement("audit-insert")`
  INSERT INTO audit_event (type, actor, actor_provider, actor_kind, address, subject)
  VALUES ($1, $2, $3, $4, $5, $6)`;

/** Characters of a subject that are kept. */
const longestSubject = 500;

/** Keeps an event for auditors; within a transaction, only if that is committed. */
export async function recordAudit(db: Queryable, event: AuditEvent): Promise<void> {
  const { name, provider, kind, address } = event.actor;
  const subject = event.subject?.slice(0, longestSubject) ?? null;
  await db.query(insert, [event.type, name, provider, kind, address ?? null, subject]);
}
