import { z } from "@hono/zod-openapi";
import { textParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import {
  Integration,
  IntegrationPreviewList,
} from "#services/api/features/integrations/schemas.ts";
import * as service from "#services/api/features/integrations/service.ts";

const common = { tag: "integration", access: "signed-in" } as const;

const listSpec = operation({
  ...common,
  id: "getIntegrationPreviews",
  method: "get",
  path: "/api/integrations",
  summary: "Ways into the catalogue, and which of them are in use",
  responses: { 200: { description: "All of them", schema: IntegrationPreviewList } },
});

const oneSpec = operation({
  ...common,
  id: "getIntegration",
  method: "get",
  path: "/api/integrations/{integration_id}",
  summary: "How to use a way into the catalogue, filled with this server's addresses",
  params: z.object({ integration_id: textParam("integration_id") }),
  responses: { 200: { description: "The integration", schema: Integration } },
});

/** The operations that describe how metadata gets into the catalogue. */
export function integrationRoutes(context: Context): Route[] {
  return [
    serve(listSpec, async () => ok({ items: await service.listIntegrations(context) })),
    serve(oneSpec, async ({ params }) => {
      return ok(await service.integration(context, params.integration_id));
    }),
  ];
}
