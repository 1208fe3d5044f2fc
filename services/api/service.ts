import type { PostgresEventLog } from "#eventlog/postgres/log.ts";
import type { Context } from "#platform/context.ts";
import type { Service } from "#platform/service.ts";
import { createFeatures } from "#services/api/features.ts";
import { searchRefreshWorker } from "#services/api/features/search/refresh.ts";
import type { HousekeepingHooks } from "#services/api/housekeeping/jobs.ts";
import { housekeepingWorker } from "#services/api/housekeeping/worker.ts";

/** The REST API and its housekeeping. */
export const apiService: Service = {
  name: "api",
  create(context) {
    const features = createFeatures(context);
    return {
      routes: features.flatMap((feature) => feature.routes),
      workers: [housekeepingWorker(context, hooksOf(context)), searchRefreshWorker(context)],
      drain() {
        for (const feature of features) feature.stop?.();
        return Promise.resolve();
      },
    };
  },
};

/** The embedded log forgets nothing by itself; Kafka does. */
function hooksOf({ events }: Context): HousekeepingHooks {
  if (!("trim" in events)) return {};
  const log = events as PostgresEventLog;
  return { trimEventLog: (now) => log.trim(now.getTime()) };
}
