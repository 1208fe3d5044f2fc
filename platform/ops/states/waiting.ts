import { recovery } from "#platform/ops/states/recovery.ts";
import type { StateRow } from "#platform/ops/states/row.ts";

const { waiting, waiting_for_metadata: metadata } = recovery;

/** States of workers that wait for an engine, a receiver or an address. */
export const waitingRows: StateRow[] = [
  [
    "waiting",
    "consumers, projector, publisher, ticker, OpenLineage composer, DataHub publisher, collector",
    "an engine cannot be reached",
    "bring the engine back",
    `${waiting.others} s after its return, publisher ${waiting["service publisher"]} s, ` +
    `composer ${waiting["OpenLineage composer"]} s, ticker half of \`traces.window\``,
  ],
  [
    "waiting_for_metadata",
    "senders, reviewer, message sender, chat events",
    "PostgreSQL cannot be reached",
    "bring it back",
    `${metadata.others} s, reviewer ${metadata["review of held messages"]} s`,
  ],
  [
    "graph_down",
    "projector",
    "Neo4j cannot be reached",
    "bring it back; `npm run graph -- verify` if in doubt",
    `${recovery.graph_down.others} s after its return`,
  ],
  [
    "log_down",
    "publisher, OpenLineage composer, DataHub publisher",
    "the event log does not take batches",
    "bring it back; `npm run traces -- status` and `tributary_openlineage_dirty` show what waits",
    `${recovery.log_down.others} s after its return`,
  ],
  [
    "backup_failed",
    "backup",
    "the last scheduled backup failed; older ones stay",
    "its cause; `npm run backup -- <directory>` writes one at once: [backup.md](backup.md)",
    "an hour at most between two tries",
  ],
  [
    "failed",
    "slot reader",
    "a failure that has no name of its own",
    "its cause; it is retried",
    `${recovery.failed.others} s`,
  ],
  [
    "paused",
    "senders",
    "the receiver failed repeatedly; messages wait",
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
    "new connections cannot be taken: no open file is left",
    "stop the process that opens them, raise the limit: [hardening.md](hardening.md)",
    `${recovery.accept_failed.others} s; reported until it has worked for 10 s`,
  ],
  [
    "not_listening",
    "HTTP listener, receivers",
    "the address is not served",
    "stop the process that opens files, raise the limit: [hardening.md](hardening.md)",
    `${recovery.not_listening.others} s; reported until it has worked for 10 s`,
  ],
  [
    "port_taken",
    "receivers",
    "another process listens there",
    "free the port, or set another",
    `${recovery.port_taken.others} s`,
  ],
  [
    "hung",
    "gRPC receiver",
    "its process gave no sign of life for ten seconds and is killed",
    "nothing",
    "seconds",
  ],
];
