import type { Service } from "#platform/service.ts";
import { pairingWorkers, ReceiverPriority } from "./pairing/workers.ts";
import { publisherWorker } from "./publisher/worker.ts";
import { createReceivers } from "./receivers/receivers.ts";

/** Takes OpenTelemetry traces, and makes lineage between services and data of them. */
export const traceGatewayService: Service = {
  name: "trace-gateway",
  create(context) {
    const receivers = createReceivers(context);
    const priority = new ReceiverPriority(() => receivers.busy(), context.clock);
    return {
      routes: [],
      workers: [
        ...receivers.workers,
        ...pairingWorkers(context, priority),
        publisherWorker(context),
      ],
      drain() {
        receivers.close();
        return Promise.resolve();
      },
    };
  },
};
