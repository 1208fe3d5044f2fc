import type { Service } from "#platform/service.ts";

/** Announces changes of alerts: from the write-ahead log to chat, webhook and mail. */
export const notifierService: Service = {
  name: "notifier",
  create() {
    return { routes: [], workers: [] };
  },
};
