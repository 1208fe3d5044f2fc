import type { Context } from "#platform/context.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import * as operations from "./operations.ts";
import { DatahubInterface } from "./service.ts";

/** The interface of DataHub's server that its collectors use; `stop` ends what runs in the background. */
export function datahubRoutes(context: Context): { routes: Route[]; stop: () => void } {
  const service = new DatahubInterface(context);
  const routes = [
    serve(operations.getConfig, () => service.config()),
    serve(
      operations.postAspects,
      ({ query: { action }, request, actor }) =>
        action === "getTimeseriesAspectValues"
          ? service.entries(request)
          : service.ingest(request, action, actor),
    ),
    serve(operations.getAspect, ({ params, query }) => service.aspect(params.urn, query.aspect)),
    serve(
      operations.postEntities,
      ({ query: { action }, request, actor }) => service.ingest(request, action, actor),
    ),
    serve(operations.getEntity, ({ params, query }) => service.entityV2(params.urn, query.aspects)),
    serve(operations.listEntities, ({ params }) => service.entities(params.type)),
    serve(operations.batchGet, ({ request }) => service.batch(request)),
    serve(
      operations.getEntityV3,
      ({ params, query }) => service.entityV3(params.urn, query.aspects),
    ),
    serve(operations.registerSchema, ({ request }) => service.registerSchema(request)),
    serve(operations.getSchema, ({ params }) => service.schema(params.id)),
  ];
  const off = context.config.datahub.enabled
    ? {}
    : { off: "DataHub is switched off (datahub.enabled)" };
  return { routes: routes.map((route) => ({ ...route, ...off })), stop: () => service.stop() };
}
