import type { Context } from "#platform/context.ts";
import { ok, type Route, serve } from "#platform/operations/declare.ts";
import * as operations from "#services/api/features/quality/operations.ts";
import * as service from "#services/api/features/quality/service.ts";

/** Operations on the tests of datasets, and on their results. */
export function qualityRoutes(context: Context): Route[] {
  return [
    serve(operations.badge, ({ params, query: { format }, request: { headers } }) => {
      return service.slaBadge(context, params.data_entity_id, { format, headers });
    }),
    serve(operations.slaReport, async ({ params }) => {
      return ok(await service.slaReport(context, params.data_entity_id));
    }),
    serve(operations.testReport, ({ params }) => {
      return service.testReport(context, params.data_entity_id);
    }),
    serve(operations.testHistory, ({ params }) => {
      return service.testHistory(context, params.data_entity_id);
    }),
    serve(operations.tests, ({ params, query }) => {
      return service.listTests(context, params.data_entity_id, query);
    }),
    serve(operations.setSeverity, ({ params, body: { severity }, actor }) => {
      const { data_entity_id: dataset, dataqa_test_id: test } = params;
      return service.setSeverity(context, actor, { dataset, test, severity });
    }),
    serve(operations.dashboard, async ({ query }) => {
      return ok(await service.qualityDashboard(context, filterOf(query)));
    }),
    serve(operations.countedTests, ({ query }) => {
      return service.listCountedTests(context, filterOf(query), query);
    }),
    serve(operations.countedTables, ({ query }) => {
      return service.listCountedTables(context, filterOf(query), query);
    }),
  ];
}

type FilterQuery = Record<
  | `${"namespace" | "datasource" | "owner" | "title" | "tag"}Ids`
  | `de${"Namespace" | "Datasource" | "Owner" | "Title" | "Tag"}Ids`,
  number[]
>;

function filterOf(query: FilterQuery): service.DashboardFilter {
  return {
    tests: {
      namespaces: query.namespaceIds,
      dataSources: query.datasourceIds,
      owners: query.ownerIds,
      titles: query.titleIds,
      tags: query.tagIds,
    },
    datasets: {
      namespaces: query.deNamespaceIds,
      dataSources: query.deDatasourceIds,
      owners: query.deOwnerIds,
      titles: query.deTitleIds,
      tags: query.deTagIds,
    },
  };
}
