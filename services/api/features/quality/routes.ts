import type { Context } from "#platform/context.ts";
import { ok, type Route, serve } from "#platform/operations/declare.ts";
import * as operations from "#services/api/features/quality/operations.ts";
import * as service from "#services/api/features/quality/service.ts";

/** Operations on the tests of datasets, and on their results. */
export function qualityRoutes(context: Context): Route[] {
  return [
    serve(
      operations.badge,
      ({ params, query, request: { headers } }) =>
        service.slaBadge(context, params.data_entity_id, { format: query.format, headers }),
    ),
    serve(
      operations.slaReport,
      async ({ params }) => ok(await service.slaReport(context, params.data_entity_id)),
    ),
    serve(
      operations.testReport,
      ({ params }) => service.testReport(context, params.data_entity_id),
    ),
    serve(
      operations.testHistory,
      ({ params }) => service.testHistory(context, params.data_entity_id),
    ),
    serve(
      operations.tests,
      ({ params, query }) => service.listTests(context, params.data_entity_id, query),
    ),
    serve(operations.setSeverity, ({ params, body, actor }) => {
      const { data_entity_id: dataset, dataqa_test_id: test } = params;
      const change = { dataset, test, severity: body.severity };
      return service.setSeverity(context, actor, change);
    }),
    serve(
      operations.dashboard,
      async ({ query }) => ok(await service.qualityDashboard(context, filterOf(query))),
    ),
    serve(
      operations.countedTests,
      ({ query }) => service.listCountedTests(context, filterOf(query), query),
    ),
    serve(
      operations.countedTables,
      ({ query }) => service.listCountedTables(context, filterOf(query), query),
    ),
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
