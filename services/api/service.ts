import type { Service } from "#platform/service.ts";
import { backupWorker } from "#services/api/backup.ts";
import { documentPages } from "#services/api/explorer.ts";
import { createFeatures, openShared } from "#services/api/features.ts";
import { activeFeatures, appInfo } from "#services/api/features/identity/service.ts";
import { collaborationWorkers } from "#services/api/features/messages/service.ts";
import { searchRefreshWorker } from "#services/api/features/search/service.ts";
import { webInterface } from "#services/api/web-interface.ts";
import { housekeepingWorker } from "#services/api/housekeeping/worker.ts";
import { mcpPages } from "#services/api/mcp/endpoint.ts";
import { operationsHistoryWorker } from "#services/api/operations-history.ts";

/** The REST API and its housekeeping. */
export const apiService: Service = {
  name: "api",
  create(context) {
    const shared = openShared(context);
    const { access, lineage } = shared;
    const features = createFeatures(context, shared);
    const web = webInterface(context, {
      "/api/appInfo": appInfo(context),
      "/api/features/active": activeFeatures(context),
    });
    const routes = features.flatMap((feature) => feature.routes);
    const mcp = mcpPages(context, { routes, authorizer: access.authorizer, lineage });
    return {
      routes,
      pages: [...documentPages(routes), ...access.pages, ...mcp, ...web.files],
      fallback: web,
      access,
      workers: [
        housekeepingWorker(context, { trimEventLog: (now) => context.events.trim(now.getTime()) }),
        backupWorker(context),
        operationsHistoryWorker(context),
        searchRefreshWorker(context),
        ...collaborationWorkers(context),
      ],
      drain() {
        for (const feature of features) feature.stop?.();
        return Promise.resolve();
      },
    };
  },
};
