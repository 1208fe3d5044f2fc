import { recovery } from "#platform/ops/states/recovery.ts";
import type { StateRow } from "#platform/ops/states/row.ts";

const { waiting, waiting_for_metadata: metadata } = recovery;

/** States of workers that wait for an engine, a receiver or an address. */
export const waitingRows: StateRow[] = [
  [
    "waiting",
    "consumers, projector, publisher, ticker, OpenLineage composer, collector",
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
    "publisher, OpenLineage composer",
    "the event log does not take batches",
    "bring it back; `npm run traces -- status` and `tributary_openlineage_dirty` tell what waits",
    `${recovery.log_down.others} s after its return`,
  ],
  [
    "failed",
    "slot reader",
    "a failure that has no name of its own",
    "the cause beside it; it is tried again",
    `${recovery.failed.others} s`,
  ],
  [
    "paused",
    "senders",
    "the receiver failed repeatedly; messages wait",
    "mend the receiver",
    "`notifications.delivery.retry-max` after it answers, or when it asked to be tried again",
  ],
  [
    "retrying",
    "senders, message sender",
    "the last attempts failed",
    "nothing; if it goes on, mend the receiver",
    "`notifications.delivery.retry-max` after it answers, or when it asked to be tried again; message sender seconds",
  ],
  [
    "accept_failed",
    "HTTP listener, receivers",
    "new connections cannot be taken: no open file is left",
    "end whoever opens them, raise the limit: [hardening.md](hardening.md)",
    `${recovery.accept_failed.others} s; told until it has worked for 10 s`,
  ],
  [
    "not_listening",
    "HTTP listener, receivers",
    "the address is not served",
    "end whoever opens files, raise the limit: [hardening.md](hardening.md)",
    `${recovery.not_listening.others} s; told until it has worked for 10 s`,
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
