import { z } from "@hono/zod-openapi";
import { ColumnLineageAnswer, ColumnLineageEdgeList } from "#contract/column-lineage.ts";
import {
  booleanQuery,
  idParam,
  integerQuery,
  maxPageSize,
  pageQueryWithDefaults,
  textListQuery,
  textsQuery,
} from "#contract/http.ts";
import { asOfQuery, pastLineageHeaders } from "#contract/lineage.ts";
import type { Direction } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import {
  declaredColumnEdges,
  lineageOfColumns,
  type LineageQueue,
  maxRequestedColumns,
} from "#services/api/features/lineage/service.ts";

const common = {
  method: "get" as const,
  access: "signed-in" as const,
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
};

function sideOf(id: string, direction: Direction, summary: string) {
  return operation({
    ...common,
    id,
    tag: "dataSet",
    path: `/api/datasets/{data_entity_id}/columns/lineage/${direction}`,
    summary,
    query: z.object({
      lineage_depth: integerQuery("lineage_depth", {
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        default: 1,
        description:
          "Edges to follow from the columns; the answer says when a budget ended it earlier",
      }),
      columns: textListQuery(
        "columns",
        maxRequestedColumns,
        "Names of columns without commas, separated by commas; all columns when neither this nor column is given",
      ),
      column: textsQuery(
        "column",
        maxRequestedColumns,
        "The name of one column, exactly as it is: it may hold commas and blanks. Repeat it for several",
      ),
      include_indirect: booleanQuery(
        "include_indirect",
        "Also what has a say without being the value: filters, joins, orders; false when absent",
      ),
      through_datasets: booleanQuery(
        "through_datasets",
        "Go on from a dataset as a whole to all its columns; false when absent",
      ),
      as_of: asOfQuery,
    }),
    responses: {
      200: {
        description: "Columns, the datasets that they are of, and edges between them",
        schema: ColumnLineageAnswer,
        headers: pastLineageHeaders,
      },
    },
  });
}

const upstream = sideOf(
  "getDatasetColumnsUpstreamLineage",
  "upstream",
  "The columns from which the columns of a dataset are made",
);
const downstream = sideOf(
  "getDatasetColumnsDownstreamLineage",
  "downstream",
  "The columns that are made from the columns of a dataset",
);

const declared = operation({
  ...common,
  id: "getDataEntityColumnsLineage",
  tag: "dataEntity",
  path: "/api/dataentities/{data_entity_id}/columns/lineage",
  summary: "The column lineage that an entity declares, page by page",
  query: z.object({
    page: pageQueryWithDefaults.page,
    size: integerQuery("size", { min: 1, max: maxPageSize, default: maxPageSize }),
  }),
  responses: {
    200: { description: "A page of column edges, in order of ids", schema: ColumnLineageEdgeList },
  },
});

/** Operations for the lineage of columns; the walks take their turn with those of entities. */
export function columnLineageRoutes(context: Context, queue: LineageQueue): Route[] {
  const side = (spec: typeof upstream, direction: Direction) =>
    serve(spec, ({ params, query, actor }) => {
      const question = {
        dataset: params.data_entity_id,
        direction,
        depth: query.lineage_depth,
        columns: query.columns,
        exact: query.column,
        indirect: query.include_indirect ?? false,
        through: query.through_datasets ?? false,
        asOf: query.as_of,
      };
      return queue.reply(() => lineageOfColumns(context, question), actor);
    });
  return [
    side(upstream, "upstream"),
    side(downstream, "downstream"),
    serve(declared, ({ params, query }) => {
      return declaredColumnEdges(context, params.data_entity_id, query);
    }),
  ];
}
