import { recovery } from "#platform/ops/recovery.ts";

/** Documentation of a worker state for operators; texts are Markdown. */
type StateRow = [
  state: string,
  /** Which workers have it. */
  whose: string,
  means: string,
  action: string,
  /** How long it takes; empty where that says nothing. */
  takes: string,
];

/** States that workers of several kinds have. */
const generalRows: StateRow[] = [
  ["running", "all", "working", "nothing", ""],
  ["listening", "HTTP listener, receivers of spans", "working", "nothing", ""],
  [
    "standby",
    "projector, publisher, slot reader, housekeeping, backup, operations history, search",
    "another process is the leader; this one takes over when that one exits",
    "nothing",
    "5 to 15 s after that process exits, by the lease; slot reader 6 s",
  ],
  [
    "starting",
    "slot reader, gRPC receiver",
    "starting",
    "nothing",
    "seconds; gRPC up to 60 s on a busy machine",
  ],
  [
    "joining",
    "consumers of the event log",
    "joining its consumer group",
    "nothing",
    "seconds; up to 10 s if a member disappeared without leaving",
  ],
  [
    "rebuilding",
    "projector",
    "builds the graph again",
    "nothing; lineage is incomplete until it ends",
    "depends on the number of edges; `tributary_projection_lag_positions` falls to 0",
  ],
  [
    "disabled",
    "housekeeping, backup, sql-lineage, collector",
    "disabled by the configuration",
    "nothing, or enable it",
    "",
  ],
  [
    "no_channels",
    "notification channels",
    "no receiver is configured: alerts are stored but not sent",
    "set keys below `notifications.receivers`: [notifications.md](notifications.md)",
    "a restart",
  ],
  [
    "stopped",
    "all",
    "its process is stopping or starting",
    "nothing; if it stays, see the log",
    "",
  ],
  [
    "restarting",
    "all",
    "crashed; it is restarted after a delay",
    "nothing; see its cause",
    `${recovery.restarting.others} s at most between two attempts`,
  ],
  [
    "crashed",
    "consumers of the event log",
    "just crashed; `restarting` follows",
    "nothing",
    "15 s at most",
  ],
  [
    "given_up",
    "all",
    "crashed eight times in a row",
    "fix the cause",
    "retried about once a minute",
  ],
];

const { waiting, waiting_for_metadata: metadata } = recovery;

/** States of workers that wait for an engine, a receiver or an address. */
const waitingRows: StateRow[] = [
  [
    "waiting",
    "consumers, projector, publisher, ticker, OpenLineage composer, DataHub publisher, collector",
    "an engine is unreachable",
    "start the engine",
    `${waiting.others} s after it is available, publisher ${waiting["service publisher"]} s, ` +
    `composer ${waiting["OpenLineage composer"]} s, ticker half of \`traces.window\``,
  ],
  [
    "refused",
    "consumers",
    "PostgreSQL, or the event log, lacks what was acknowledged: nothing is consumed",
    "`npm run failover -- status`, then put the former engine back or accept the loss: [failover.md](failover.md)",
    `${recovery.refused.others} s after that`,
  ],
  [
    "waiting_for_metadata",
    "senders, reviewer, message sender, chat events",
    "PostgreSQL is unreachable",
    "start it",
    `${metadata.others} s, reviewer ${metadata["review of held messages"]} s`,
  ],
  [
    "graph_down",
    "projector",
    "Neo4j is unreachable",
    "start it; `npm run graph -- verify` if in doubt",
    `${recovery.graph_down.others} s after it is available`,
  ],
  [
    "log_down",
    "publisher, OpenLineage composer, DataHub publisher",
    "the event log does not accept batches",
    "start it; `npm run traces -- status` and `tributary_openlineage_dirty` show what is waiting",
    `${recovery.log_down.others} s after it is available`,
  ],
  [
    "backup_failed",
    "backup",
    "the last scheduled backup failed; older ones stay",
    "see its cause; `npm run backup -- <directory>` writes a backup immediately: [backup.md](backup.md)",
    "an hour at most between two attempts",
  ],
  [
    "failed",
    "slot reader",
    "any other failure",
    "see its cause; it is retried",
    `${recovery.failed.others} s`,
  ],
  [
    "paused",
    "senders",
    "the receiver failed repeatedly; messages are waiting",
    "fix the receiver",
    "`notifications.delivery.retry-max` after it responds, or when it requested the retry",
  ],
  [
    "retrying",
    "senders, message sender",
    "the last attempts failed",
    "nothing; if it continues, fix the receiver",
    "`notifications.delivery.retry-max` after it responds, or when it requested the retry; message sender seconds",
  ],
  [
    "accept_failed",
    "HTTP listener, receivers",
    "new connections cannot be accepted: no file descriptor is free",
    "find the client that opens connections, raise the limit: [hardening.md](hardening.md)",
    `${recovery.accept_failed.others} s; reported until it has worked for 10 s`,
  ],
  [
    "not_listening",
    "HTTP listener, receivers",
    "it does not listen on its address",
    "find the process that opens files, raise the limit: [hardening.md](hardening.md)",
    `${recovery.not_listening.others} s; reported until it has worked for 10 s`,
  ],
  [
    "port_taken",
    "receivers",
    "another process uses the port",
    "free the port, or set another",
    `${recovery.port_taken.others} s`,
  ],
  [
    "hung",
    "gRPC receiver",
    "its process did not respond for ten seconds and is killed",
    "nothing",
    "seconds",
  ],
];

/** States that the slot reader alone has. */
const slotReaderRows = ([
  ["reading", "working", "nothing", ""],
  [
    "catching_up",
    "sends the changes that the slot missed, from the table",
    "nothing",
    "depends on the number of missed changes, which is in the log",
  ],
  [
    "database_down",
    "PostgreSQL is unreachable",
    "start it; nothing is lost, `npm run notifications -- slot status`",
    `${recovery.database_down.others} s after it is fixed`,
  ],
  [
    "event_log_down",
    "the event log does not accept changes of alerts",
    "start it; the slot retains them",
    `${recovery.event_log_down.others} s after it is fixed`,
  ],
  [
    "slot_lost",
    "the slot does not exist",
    "nothing: it is recreated, and missed changes are read from the table",
    "seconds",
  ],
  ["publication_missing", "the publication does not exist", "nothing: it is recreated", "seconds"],
  [
    "overloaded",
    "more changes arrived at once than fit in memory",
    "nothing: the rest is read from the table",
    "seconds",
  ],
  [
    "slot_foreign",
    "a slot of that name belongs to another database or plugin",
    "drop that one if it is unused, or give the instance another name (`instance`)",
    `${recovery.failed.others} s after it is fixed`,
  ],
  [
    "wal_level",
    "PostgreSQL does not write a logical log",
    "`ALTER SYSTEM SET wal_level = logical`, restart PostgreSQL",
    "a restart of PostgreSQL",
  ],
  [
    "missing_privilege",
    "the database role cannot read slots or create the publication",
    "the statement shown with the state",
    `${recovery.failed.others} s after it is fixed`,
  ],
  [
    "no_free_slot",
    "all replication slots of the server are in use",
    "raise `max_replication_slots`, or drop an unused one",
    "a restart of PostgreSQL",
  ],
  [
    "no_free_sender",
    "the server accepts no further replication connections",
    "raise `max_wal_senders`",
    "a restart of PostgreSQL",
  ],
] as const).map(([state, ...row]): StateRow => [state, "slot reader", ...row]);

/** Every state of a worker. `docs/operate/operations.md` and `/api/ops/workers` tell the same. */
export const stateRows: StateRow[] = [...generalRows, ...waitingRows, ...slotReaderRows];

/** What a state means and what to do about it, as text without links. */
interface StateDescription {
  meaning: string;
  action: string;
  /** How long it takes; null where that says nothing. */
  takes: string | null;
}

const meanings = new Map(
  stateRows.map(([state, , means, action, takes]): [string, StateDescription] => [
    state,
    { meaning: plain(means), action: plain(action), takes: takes === "" ? null : plain(takes) },
  ]),
);

/** Null for a state that this release does not know: another release may report it. */
export function meaningOf(state: string): StateDescription | null {
  return meanings.get(state) ?? null;
}

/** Markdown without its links: `[hardening.md](hardening.md)` as `docs/operate/hardening.md`. */
function plain(text: string): string {
  return text.replaceAll(/\[[^\]]{1,100}\]\(([^)]{1,100})\)/g, "docs/operate/$1");
}
