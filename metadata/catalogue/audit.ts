import type { Actor } from "#contract/actor.ts";
import type { AuditEventType } from "#contract/audit.ts";
import type { Logger } from "#kit/log.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** An action for the audit log. It contains no secret, nor a part of one. */
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

/** Characters of a subject, or of an actor's name, that are stored. */
const longest = 500;

/** A text of at most `longest` UTF-16 units that PostgreSQL can store: no NUL, no half of a pair. */
function bounded(text: string): string {
  return text.slice(0, longest).replaceAll("\0", "\uFFFD").toWellFormed();
}

/** What is stored of an event, and logged. */
export function eventFields({ type, actor, subject }: AuditEvent) {
  return {
    type,
    actor: actor.name === null ? null : bounded(actor.name),
    provider: actor.provider,
    kind: actor.kind,
    address: actor.address ?? null,
    subject: subject === undefined ? null : bounded(subject),
  };
}

/**
 * Keeps an event of something that changes nothing in the catalogue, such as a sign-in, and logs it. A change
 * records itself with `change.audit`.
 */
export async function recordAudit(
  { db, log }: { db: Queryable; log: Logger },
  event: AuditEvent,
): Promise<void> {
  await insertAudit(db, event);
  logAudit(log, event);
}

/** Keeps the events of a change, if it is committed; `logAudit` is due after that. */
export async function recordAuditWithin(tx: Transaction, events: AuditEvent[]): Promise<void> {
  for (const event of events) await insertAudit(tx, event);
}

/** Writes the one line that the log has of each event. */
export function logAudit(log: Logger, event: AuditEvent): void {
  log.info("audit", eventFields(event));
}

async function insertAudit(db: Queryable, event: AuditEvent): Promise<void> {
  const { type, actor, provider, kind, address, subject } = eventFields(event);
  await db.query(insert, [type, actor, provider, kind, address, subject]);
}
