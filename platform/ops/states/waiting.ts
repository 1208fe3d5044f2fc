import { recovery } from "#platform/ops/states/recovery.ts";
import type { StateRow } from "#platform/ops/states/row.ts";

const { waiting, waiting_for_metadata: metadata } = recovery;

/** States of workers that wait for an engine, a receiver or an address. */
export const waitingRows: StateRow[] = [
  [
    "waiting",
    "consumers, projector, publisher, ticker, OpenLineage composer",
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
    "2 s after its return",
  ],
  [
    "log_down",
    "publisher, OpenLineage composer",
    "the event log does not take batches",
    "bring it back; `npm run traces -- status` and `tributary_openlineage_dirty` tell what waits",
    "10 s after its return",
  ],
  [
    "failed",
    "slot reader, gRPC receiver",
    "a failure that has no name of its own",
    "the cause beside it; it is tried again",
    "5 s, gRPC 15 s",
  ],
  [
    "paused",
    "senders",
    "the receiver failed repeatedly; messages wait",
    "mend the receiver",
    "tried again within minutes, messages within `notifications.delivery.retry-max`",
  ],
  [
    "retrying",
    "senders, message sender",
    "the last attempts failed",
    "nothing; if it goes on, mend the receiver",
    "tried again within minutes, messages within `notifications.delivery.retry-max`",
  ],
  [
    "accept_failed",
    "HTTP listener, receivers",
    "new connections cannot be taken: no open file is left",
    "end whoever opens them, raise the limit: [hardening.md](hardening.md)",
    "2 s",
  ],
  [
    "not_listening",
    "HTTP listener, receivers",
    "the address is not served",
    "end whoever opens files, raise the limit: [hardening.md](hardening.md)",
    "2 s",
  ],
  [
    "port_taken",
    "receivers",
    "another process listens there",
    "free the port, or set another",
    "1 s",
  ],
  [
    "hung",
    "gRPC receiver",
    "its process gave no sign of life for ten seconds and is killed",
    "nothing",
    "seconds",
  ],
];
