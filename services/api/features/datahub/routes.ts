import type { Context } from "#platform/context.ts";
import { ok, type Route, serve } from "#platform/operations/declare.ts";
import * as operations from "./operations.ts";
import * as service from "./service.ts";

/** The interface of DataHub's server that its collectors use; `stop` ends what runs in the background. */
export function datahubRoutes(context: Context): { routes: Route[]; stop: () => void } {
  const intake = new service.AspectIntake(context);
  const answer = service.createQuestions(context);
  const { db } = context;
  const routes = [
    serve(operations.getConfig, () => ok(service.serverConfig)),
    serve(
      operations.postAspects,
      ({ query: { action }, request, actor }) =>
        action === "getTimeseriesAspectValues"
          ? answer(request, (body) => service.readEntries(db, body))
          : intake.ingest(request, action, actor),
    ),
    serve(
      operations.getAspect,
      async ({ params, query }) => ok(await service.readAspect(db, params.urn, query.aspect)),
    ),
    serve(
      operations.postEntities,
      ({ query: { action }, request, actor }) => intake.ingest(request, action, actor),
    ),
    serve(
      operations.getEntity,
      async ({ params, query }) => ok(await service.entityV2(db, params.urn, query.aspects)),
    ),
    serve(
      operations.listEntities,
      async ({ params }) => ok(await service.entitiesOfType(db, params.type)),
    ),
    serve(
      operations.batchGet,
      ({ request }) => answer(request, (body) => service.batchOfEntities(db, body)),
    ),
    serve(
      operations.getEntityV3,
      async ({ params, query }) => ok(await service.entityV3(db, params.urn, query.aspects)),
    ),
    serve(
      operations.registerSchema,
      ({ request }) => answer(request, (body) => service.registerSchema(db, body)),
    ),
    serve(operations.getSchema, async ({ params }) => ok(await service.readSchema(db, params.id))),
  ];
  const off = context.config.datahub.enabled
    ? {}
    : { off: "DataHub is switched off (datahub.enabled)" };
  return { routes: routes.map((route) => ({ ...route, ...off })), stop: () => intake.stop() };
}
