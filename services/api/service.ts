import type { Service } from "#platform/service.ts";
import { documentPages } from "#services/api/openapi.ts";
import { createFeatures, openShared } from "#services/api/features.ts";
import { activeFeatures, appInfo } from "#services/api/features/identity/service.ts";
import { webInterface } from "#services/api/web-interface.ts";
import { mcpPages } from "#services/api/mcp/endpoint.ts";

/** The REST API, the web interface and MCP. */
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
      workers: [],
      drain() {
        for (const feature of features) feature.stop?.();
        return Promise.resolve();
      },
    };
  },
};
