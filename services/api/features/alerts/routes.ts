import type { Context } from "#platform/context.ts";
import type { AccessControl, Authorizer } from "#platform/operations/access.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import { ok, okJson, type Reply } from "#platform/operations/reply.ts";
import { openAccess } from "#services/api/access/service.ts";
import * as operations from "#services/api/features/alerts/operations.ts";
import * as service from "#services/api/features/alerts/service.ts";

/** Operations on alerts and on their configuration. */
export function alertRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  return [...listRoutes(context, authorizer), ...entityRoutes(context), ...changeRoutes(context)];
}

function listRoutes(context: Context, authorizer: Authorizer): Route[] {
  const tab = (spec: typeof operations.allAlerts, name: service.OpenTab) =>
    serve(spec, async ({ query, actor }) => {
      const { answer, truncated } = await service.openAlerts(context, actor, name, query);
      return okJson(answer, cutHeader(truncated));
    });
  return [
    tab(operations.allAlerts, "all"),
    tab(operations.myAlerts, "my"),
    tab(operations.dependentAlerts, "dependents"),
    serve(operations.totals, async ({ actor }): Promise<Reply> => {
      const { answer, truncated } = await service.countTabs(context, actor);
      return ok(answer, cutHeader(truncated));
    }),
    serve(operations.list, async ({ query, actor }) => {
      const { page, size, type: view = "ALL" } = query;
      const filter = { ...filterOf(query), page, size, view };
      return okJson(await service.listAlerts(context, actor, filter));
    }),
    serve(
      operations.chunks,
      async ({ params, query }) =>
        okJson(await service.listChunks(context, params.alert_id, query)),
    ),
    serve(operations.impacts, async ({ query, actor }) => {
      const permissions = await authorizer.permissionsOf(actor);
      const silences = permissions.includes("NOTIFICATION_VIEW");
      return ok({ items: await service.readImpacts(context, query.alert_ids, { silences }) });
    }),
    serve(
      operations.counts,
      async ({ query, actor }) => ok(await service.countViews(context, actor, filterOf(query))),
    ),
  ];
}

const cutHeader = (reason?: string) => reason ? { "X-Lineage-Truncated": reason } : undefined;

interface FilterQuery {
  begin_date?: string;
  end_date?: string;
  datasource_id?: number;
  namespace_id?: number;
  tag_ids: number[];
  owner_ids: number[];
  status?: service.RequestedFilter["status"];
  alert_type?: service.RequestedFilter["type"];
  alert_id?: number;
  query?: string;
}

function filterOf(query: FilterQuery): service.RequestedFilter {
  return {
    begin: query.begin_date,
    end: query.end_date,
    dataSource: query.datasource_id,
    namespace: query.namespace_id,
    tags: query.tag_ids,
    owners: query.owner_ids,
    status: query.status,
    type: query.alert_type,
    query: query.query,
    alert: query.alert_id,
  };
}

function entityRoutes(context: Context): Route[] {
  return [
    serve(
      operations.entityAlerts,
      async ({ params, query }) =>
        okJson(await service.pageEntityAlerts(context, params.data_entity_id, query)),
    ),
    serve(operations.entityList, async ({ params, query }) => {
      const { begin_date: begin, end_date: end, status, page, size } = query;
      const filter = { begin, end, status, page, size };
      return okJson(await service.listEntityAlerts(context, params.data_entity_id, filter));
    }),
    serve(
      operations.entityCounts,
      async ({ params, query }) =>
        ok(await service.countEntityAlerts(context, params.data_entity_id, query.status)),
    ),
    serve(
      operations.config,
      async ({ params }) => ok(await service.readConfig(context, params.data_entity_id)),
    ),
  ];
}

function changeRoutes(context: Context): Route[] {
  return [
    serve(operations.changeStatus, async ({ params, body, actor }) =>
      okJson(
        await service.changeStatus(context, actor, params.alert_id, body.status),
      )),
    serve(
      operations.updateConfig,
      async ({ params, body, actor }) =>
        ok(await service.writeConfig(context, actor, params.data_entity_id, body)),
    ),
  ];
}
