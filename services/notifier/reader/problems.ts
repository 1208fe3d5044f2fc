import { messageOf } from "#kit/errors.ts";
import { classify, sqlState } from "#metadata/postgres/database.ts";

/** How the reader stands, as health, metrics and logs name it. */
export const readerStates = [
  "starting",
  "standby",
  "catching_up",
  "reading",
  "slot_lost",
  "publication_missing",
  "slot_foreign",
  "wal_level",
  "missing_privilege",
  "no_free_slot",
  "no_free_sender",
  "database_down",
  "event_log_down",
  "overloaded",
  "failed",
  "stopped",
] as const;
export type ReaderState = (typeof readerStates)[number];

/** Why the reader cannot read, and what an operator does about it. */
export class ReaderProblem extends Error {
  constructor(
    readonly state: ReaderState,
    message: string,
    readonly repair?: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = "ReaderProblem";
  }
}

/** A failure to write to the event log; nothing was confirmed, so it is repeated. */
export class EventLogFailure extends Error {
  constructor(cause: unknown) {
    super(`the event log does not take changes of alerts: ${messageOf(cause)}`, { cause });
    this.name = "EventLogFailure";
  }
}

const needsLogical = "ALTER SYSTEM SET wal_level = logical; then restart PostgreSQL";

export function walLevelProblem(level: string): ReaderProblem {
  const message =
    `wal_level of PostgreSQL is ${level}; notifications read changes of alerts from a ` +
    "logical write-ahead log";
  return new ReaderProblem("wal_level", message, needsLogical);
}

/** SQLSTATEs of slots and senders (PostgreSQL manual, appendix A). */
const bySqlState = new Map(Object.entries<(message: string) => ReaderProblem>({
  "42501": (message) =>
    new ReaderProblem(
      "missing_privilege",
      `the database role may not do that: ${message}`,
      /publication|database|owner/.test(message)
        ? "GRANT CREATE ON DATABASE <database> TO <role>; the role must own the table alert_event"
        : "ALTER ROLE <role> WITH REPLICATION",
    ),
  "53400": (message) =>
    new ReaderProblem(
      "no_free_slot",
      `the server has no replication slot left: ${message}`,
      "ALTER SYSTEM SET max_replication_slots = <more>; then restart PostgreSQL; or drop one that " +
        "nobody needs: SELECT pg_drop_replication_slot('<name>')",
    ),
  "53300": (message) =>
    new ReaderProblem(
      "no_free_sender",
      `the server takes no further connection: ${message}`,
      "ALTER SYSTEM SET max_wal_senders = <more> (or max_connections); then restart PostgreSQL",
    ),
  "55006": () => new ReaderProblem("standby", "another process reads the slot"),
}));

/** What an error of any part means for the reader. */
export function problemOf(error: unknown): ReaderProblem {
  if (error instanceof ReaderProblem) return error;
  const message = messageOf(error);
  if (error instanceof EventLogFailure) {
    return new ReaderProblem("event_log_down", message, undefined, error);
  }
  const state = sqlState(error) ?? sqlState((error as { cause?: unknown } | null)?.cause) ?? "";
  const known = bySqlState.get(state);
  if (known) return known(message);
  if (state === "55000" && /wal_level/.test(message)) return walLevelProblem("not logical");
  if (state === "55000") return new ReaderProblem("slot_lost", message, undefined, error);
  if (state === "42704") {
    const what = /publication/.test(message) ? "publication_missing" : "slot_lost";
    return new ReaderProblem(what, message, undefined, error);
  }
  const down = classify(error) === "pause" || /^replication/.test(message);
  return new ReaderProblem(down ? "database_down" : "failed", message, undefined, error);
}
