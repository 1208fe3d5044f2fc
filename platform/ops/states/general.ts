import { recovery } from "#platform/ops/states/recovery.ts";
import type { StateRow } from "#platform/ops/states/row.ts";

/** States that workers of several kinds have. */
export const generalRows: StateRow[] = [
  ["running", "all", "at work", "nothing", ""],
  ["listening", "HTTP listener, receivers of spans", "at work", "nothing", ""],
  [
    "standby",
    "projector, publisher, slot reader, housekeeping, backup, operations history, search, message sender, chat events",
    "another process leads; this one takes over when that ends",
    "nothing",
    "5 to 15 s after its end, by the lease; slot reader 6 s",
  ],
  [
    "starting",
    "slot reader, gRPC receiver",
    "on the way to be at work",
    "nothing",
    "seconds; gRPC 60 s at most on a busy machine",
  ],
  [
    "joining",
    "consumers of the event log",
    "on the way into its consumer group",
    "nothing",
    "seconds; up to a session of a member that vanished, 10 s",
  ],
  [
    "rebuilding",
    "projector",
    "refills the graph",
    "nothing; lineage answers what is there so far",
    "it grows with the edges; `tributary_projection_lag_positions` falls to 0",
  ],
  [
    "disabled",
    "housekeeping, backup, sql-lineage, collector",
    "switched off by the configuration",
    "nothing, or switch it on",
    "",
  ],
  [
    "no_channels",
    "notification channels",
    "no receiver is configured: alerts are recorded but not announced",
    "set keys below `notifications.receivers`: [notifications.md](notifications.md)",
    "a restart",
  ],
  ["stopped", "all", "its process ends, or has not begun", "nothing; if it stays, see the log", ""],
  [
    "restarting",
    "all",
    "crashed, and is started again after a wait",
    "nothing; see its cause",
    `${recovery.restarting.others} s at most between two tries`,
  ],
  [
    "crashed",
    "consumers of the event log",
    "crashed just now; `restarting` follows",
    "nothing",
    "15 s at most",
  ],
  [
    "given_up",
    "all",
    "crashed eight times in a row",
    "fix the cause",
    "tried about once a minute",
  ],
];
