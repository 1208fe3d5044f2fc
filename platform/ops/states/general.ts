import { recovery } from "#platform/ops/states/recovery.ts";
import type { StateRow } from "#platform/ops/states/row.ts";

/** States that workers of several kinds have. */
export const generalRows: StateRow[] = [
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
