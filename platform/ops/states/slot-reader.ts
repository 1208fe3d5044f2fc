import { recovery } from "#platform/ops/states/recovery.ts";
import type { StateRow } from "#platform/ops/states/row.ts";

/** States that the slot reader alone has. */
export const slotReaderRows: StateRow[] = [
  ["reading", "slot reader", "working", "nothing", ""],
  [
    "catching_up",
    "slot reader",
    "sends the changes that the slot missed, from the table",
    "nothing",
    "depends on the number of missed changes, which is in the log",
  ],
  [
    "database_down",
    "slot reader",
    "PostgreSQL is unreachable",
    "start it; nothing is lost, `npm run notifications -- slot status`",
    `${recovery.database_down.others} s after it is fixed`,
  ],
  [
    "event_log_down",
    "slot reader",
    "the event log does not accept changes of alerts",
    "start it; the slot retains them",
    `${recovery.event_log_down.others} s after it is fixed`,
  ],
  [
    "slot_lost",
    "slot reader",
    "the slot does not exist",
    "nothing: it is recreated, and missed changes are read from the table",
    "seconds",
  ],
  [
    "publication_missing",
    "slot reader",
    "the publication does not exist",
    "nothing: it is recreated",
    "seconds",
  ],
  [
    "overloaded",
    "slot reader",
    "more changes arrived at once than fit in memory",
    "nothing: the rest is read from the table",
    "seconds",
  ],
  [
    "slot_foreign",
    "slot reader",
    "a slot of that name belongs to another database or plugin",
    "drop that one if it is unused, or give the instance another name (`instance`)",
    `${recovery.failed.others} s after it is fixed`,
  ],
  [
    "wal_level",
    "slot reader",
    "PostgreSQL does not write a logical log",
    "`ALTER SYSTEM SET wal_level = logical`, restart PostgreSQL",
    "a restart of PostgreSQL",
  ],
  [
    "missing_privilege",
    "slot reader",
    "the database role cannot read slots or create the publication",
    "the statement shown with the state",
    `${recovery.failed.others} s after it is fixed`,
  ],
  [
    "no_free_slot",
    "slot reader",
    "all replication slots of the server are in use",
    "raise `max_replication_slots`, or drop an unused one",
    "a restart of PostgreSQL",
  ],
  [
    "no_free_sender",
    "slot reader",
    "the server accepts no further replication connections",
    "raise `max_wal_senders`",
    "a restart of PostgreSQL",
  ],
];
