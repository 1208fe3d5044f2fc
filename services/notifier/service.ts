import type { Service } from "#platform/service.ts";
import { deliveryWorkers } from "./delivery/workers.ts";
import { readerWorkers } from "./reader/reader.ts";

/** Announces changes of alerts: from the write-ahead log to chat, webhook and mail. */
export const notifierService: Service = {
  name: "notifier",
  create(context) {
    if (!context.config.notifications.enabled) return { routes: [], workers: [] };
    return { routes: [], workers: [...deliveryWorkers(context), ...readerWorkers(context)] };
  },
};
