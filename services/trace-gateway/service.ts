import type { Service } from "#platform/service.ts";
import * as facts from "./facts/index.ts";
import { pairingWorkers } from "./pairing/workers.ts";
import { Precedence } from "./precedence.ts";
import { publisherWorker } from "./publisher/worker.ts";
import { createReceivers } from "./receivers/receivers.ts";

/** Takes OpenTelemetry traces, and makes lineage between services and data of them. */
export const traceGatewayService: Service = {
  name: "trace-gateway",
  create(context) {
    const receivers = createReceivers(context, facts);
    const precedence = new Precedence(() => receivers.busy(), context.clock);
    return {
      routes: [],
      workers: [
        ...receivers.workers,
        ...pairingWorkers(context, precedence),
        publisherWorker(context),
      ],
      drain() {
        receivers.close();
        return Promise.resolve();
      },
    };
  },
};
