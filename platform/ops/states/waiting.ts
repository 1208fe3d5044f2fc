import { recovery } from "#platform/ops/states/recovery.ts";
import type { StateRow } from "#platform/ops/states/row.ts";

const { waiting, waiting_for_metadata: metadata } = recovery;

/** States of workers that wait for an engine, a receiver or an address. */
export const waitingRows: StateRow[] = [
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
