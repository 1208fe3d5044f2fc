import type { Service } from "#platform/service.ts";
import { backupWorker } from "./backup.ts";
import { operationsHistoryWorker } from "./operations-history.ts";
import { searchRefreshWorker } from "./search-refresh.ts";
import { housekeepingWorker } from "./worker.ts";

/** Scheduled work, each kind done by one process at a time: retention, expiry, backups, search documents. */
export const housekeepingService: Service = {
  name: "housekeeping",
  create(context) {
    const trimEventLog = (now: Date) => context.events.trim(now.getTime());
    return {
      routes: [],
      workers: [
        housekeepingWorker(context, { trimEventLog }),
        backupWorker(context),
        operationsHistoryWorker(context),
        searchRefreshWorker(context),
      ],
    };
  },
};
