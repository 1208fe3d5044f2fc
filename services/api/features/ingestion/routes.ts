import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { ok, type Route, serve } from "#platform/operations/declare.ts";
import * as operations from "./operations.ts";
import { Ingestion, type IngestionOptions, membersOf } from "./service.ts";

/** The ingestion family: its routes, and `stop` for its waiting requests and threads. */
export function ingestionRoutes(
  context: Context,
  options: IngestionOptions = {},
): { routes: Route[]; stop: () => void } {
  const ingestion = new Ingestion(context, options);
  const statusOnly =
    (status: number, take: (request: Request, caller: Caller) => Promise<void>) =>
    async ({ request, actor }: { request: Request; actor: Caller }) => {
      await take(request, actor);
      return { status };
    };
  const routes = [
    serve(operations.postDataEntityList, ({ request, actor }) => ingestion.batch(request, actor)),
    serve(operations.createDataSource, statusOnly(200, (r, by) => ingestion.dataSources(r, by))),
    serve(operations.postDataSetStatsList, ({ request }) => ingestion.statistics(request)),
    serve(operations.ingestMetrics, statusOnly(201, (r) => ingestion.metrics(r))),
    serve(operations.routeAlerts, statusOnly(200, (r) => ingestion.alerts(r))),
    serve(operations.createAlerts, statusOnly(200, (r) => ingestion.sourceAlerts(r))),
    serve(operations.routeAlertsOfAlertmanager, statusOnly(200, (r) => ingestion.alerts(r))),
    serve(operations.getDataEntitiesByDEGCatrn, async ({ params }) => {
      return ok({ items: await membersOf(context, params.degCatrn) });
    }),
    serve(operations.getDataEntitiesByGroupQuery, async ({ query: { catrn, oddrn } }) => {
      const members = await membersOf(context, catrn ?? oddrn ?? "");
      // Each with its CATRN also under the upstream key.
      return ok({ items: members.map(({ catrn, type }) => ({ catrn, oddrn: catrn, type })) });
    }),
  ];
  return { routes, stop: () => ingestion.stop() };
}
