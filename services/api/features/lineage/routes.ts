import { z } from "@hono/zod-openapi";
import {
  enumQuery,
  idListQuery,
  idParam,
  integerQuery,
  maxParameterList,
  pageQuery,
  pageWindow,
  textQuery,
} from "#contract/http.ts";
import {
  asOfQuery,
  DataEntityGroupLineageList,
  DataEntityLineage,
  DataEntityLineageStream,
  lineageHeaders,
  LineageNeighbourList,
  pastLineageHeaders,
} from "#contract/lineage.ts";
import { Impact } from "#contract/catalogue/asset-health.ts";
import type { Direction } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { columnLineageRoutes } from "#services/api/features/lineage/column-routes.ts";
import { pastLineageRoutes } from "#services/api/features/lineage/past-routes.ts";
import {
  entityLineage,
  groupLineage,
  lineageImpact,
  lineageNeighbours,
  lineagePaths,
  LineageQueue,
} from "#services/api/features/lineage/service.ts";

const common = { method: "get", tag: "dataEntity", access: "signed-in" } as const;
const reading = { ...common, params: z.object({ data_entity_id: idParam("data_entity_id") }) };

const entityQuery = z.object({
  lineage_depth: integerQuery("lineage_depth", {
    min: 1,
    // The contract sets no maximum; budgets limit the walk instead.
    max: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: "Edges to follow from the root; the answer says when a budget ended it earlier",
  }),
  expanded_entity_ids: idListQuery(
    "expanded_entity_ids",
    maxParameterList,
    "Groups to show expanded: their members are nodes of the graph, while any other group is one collapsed node that " +
      "stands for its members. The root, and every group that it is in, directly or through others, is always " +
      "expanded. An id that is no group is ignored",
  ),
  expand: enumQuery(
    "expand",
    ["all"],
    "`all`: no group is collapsed, so that edges are between entities alone",
  ),
  as_of: asOfQuery,
});

function sideOf(id: string, direction: Direction, summary: string) {
  return operation({
    ...reading,
    id,
    path: `/api/dataentities/{data_entity_id}/lineage/${direction}`,
    summary,
    query: entityQuery,
    responses: {
      200: {
        description: "The lineage graph",
        schema: DataEntityLineage,
        headers: pastLineageHeaders,
      },
    },
  });
}

const upstream = sideOf(
  "getDataEntityUpstreamLineage",
  "upstream",
  "Everything that feeds the entity",
);
const downstream = sideOf(
  "getDataEntityDownstreamLineage",
  "downstream",
  "Everything that the entity feeds",
);

function neighboursSide(id: string, direction: Direction, summary: string) {
  return operation({
    ...reading,
    id,
    path: `/api/dataentities/{data_entity_id}/lineage/${direction}/neighbours`,
    summary,
    query: z.object({ ...pageQuery, query: textQuery("query") }),
    responses: {
      200: { description: "A page of direct neighbours, by id", schema: LineageNeighbourList },
    },
  });
}

const upstreamNeighbours = neighboursSide(
  "getDataEntityUpstreamNeighbours",
  "upstream",
  "What feeds the entity directly, page by page",
);
const downstreamNeighbours = neighboursSide(
  "getDataEntityDownstreamNeighbours",
  "downstream",
  "What the entity feeds directly, page by page",
);

const paths = operation({
  ...reading,
  id: "getDataEntityLineagePaths",
  path: "/api/dataentities/{data_entity_id}/lineage/paths",
  summary: "Everything on a path between two entities, whichever way the data flows",
  query: z.object({
    to: integerQuery("to", {
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      required: true,
      description: "Id of the other end",
    }),
    lineage_depth: integerQuery("lineage_depth", {
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      default: 100,
      description: "Edges of the longest path",
    }),
  }),
  responses: {
    200: {
      description: "The paths; without edges when there is none",
      schema: DataEntityLineageStream,
      headers: lineageHeaders,
    },
  },
});

const ofGroup = operation({
  ...common,
  id: "getDataEntityGroupsLineage",
  path: "/api/dataentitygroups/{data_entity_group_id}/lineage",
  summary: "Lineage among the members of a group",
  params: z.object({ data_entity_group_id: idParam("data_entity_group_id") }),
  query: z.object({ as_of: asOfQuery }),
  responses: {
    200: {
      description: "One stream for each connected part",
      schema: DataEntityGroupLineageList,
      headers: pastLineageHeaders,
    },
  },
});

const impact = operation({
  ...reading,
  id: "getDataEntityImpact",
  path: "/api/dataentities/{data_entity_id}/impact",
  summary: "What a change of the entity, or of one of its columns, reaches",
  query: z.object({ column: textQuery("column") }),
  responses: {
    200: {
      description: "Counts by type and owner; for a column also the columns computed from it",
      schema: Impact,
      headers: lineageHeaders,
    },
  },
});

/** Operations for the lineage of entities, groups and columns, for an entity's neighbours in pages, and for the impact of a change. */
export function lineageRoutes(context: Context, queue = new LineageQueue(context)): Route[] {
  const side = (spec: typeof upstream, direction: Direction) =>
    serve(spec, ({ params: { data_entity_id: id }, query, actor }) => {
      const { lineage_depth: depth, as_of: asOf } = query;
      const expanded = query.expand ?? query.expanded_entity_ids;
      const question = { id, direction, depth, expanded, asOf };
      return queue.reply(() => entityLineage(context, question), actor);
    });
  const neighbours = (spec: typeof upstreamNeighbours, direction: Direction) =>
    serve(spec, ({ params, query }) => {
      const page = pageWindow(query);
      const request = { id: params.data_entity_id, direction, query: query.query, page };
      return lineageNeighbours(context, request);
    });
  return [
    side(upstream, "upstream"),
    side(downstream, "downstream"),
    neighbours(upstreamNeighbours, "upstream"),
    neighbours(downstreamNeighbours, "downstream"),
    serve(
      paths,
      ({ params: { data_entity_id: id }, query: { to, lineage_depth: depth }, actor }) => {
        return queue.reply(() => lineagePaths(context, { id, to, depth }), actor);
      },
    ),
    serve(ofGroup, ({ params: { data_entity_group_id: id }, query, actor }) => {
      return queue.reply(() => groupLineage(context, id, query.as_of), actor);
    }),
    serve(impact, async ({ params: { data_entity_id: id }, query, actor }) => {
      const work = () => lineageImpact(context, id, query.column);
      const { answer, headers } = await queue.run(work, actor);
      return ok(answer, headers);
    }),
    ...columnLineageRoutes(context, queue),
    ...pastLineageRoutes(context, queue),
  ];
}
