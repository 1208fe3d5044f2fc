import { z } from "@hono/zod-openapi";
import {
  booleanQuery,
  idParam,
  idQuery,
  integerQuery,
  textQuery,
  timeQuery,
} from "#contract/http.ts";
import { DataEntityLineageDiff, LineageChangeList, pastLineageHeaders } from "#contract/lineage.ts";
import type { Direction } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import { okJson, operation, type Route, serve } from "#platform/operations/declare.ts";
import {
  lineageChanges,
  lineageDiff,
  type LineageQueue,
} from "#services/api/features/lineage/service.ts";

const tag = "dataEntity";

const between = {
  from: timeQuery("from", { required: true }),
  to: timeQuery("to"),
};

function diffOf(id: string, direction: Direction, summary: string) {
  return operation({
    id,
    method: "get",
    path: `/api/dataentities/{data_entity_id}/lineage/${direction}/diff`,
    tag,
    summary,
    access: "signed-in",
    params: z.object({ data_entity_id: idParam("data_entity_id") }),
    query: z.object({
      ...between,
      lineage_depth: integerQuery("lineage_depth", {
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        default: 1,
        description: "Edges to follow from the root; the answer says how deep it compared",
      }),
      include_same: booleanQuery("include_same", "Also what did not change; default false"),
    }),
    responses: {
      200: {
        description: "What was added and removed after `from` and up to `to` (default now)",
        schema: DataEntityLineageDiff,
        headers: pastLineageHeaders,
      },
    },
  });
}

const upstream = diffOf(
  "getDataEntityUpstreamLineageDiff",
  "upstream",
  "What changed between two times in everything that feeds the entity",
);
const downstream = diffOf(
  "getDataEntityDownstreamLineageDiff",
  "downstream",
  "What changed between two times in everything that the entity feeds",
);

const changes = operation({
  id: "getLineageChanges",
  method: "get",
  path: "/api/lineage/changes",
  tag,
  summary: "Edges that came and went between two times, newest first",
  access: "signed-in",
  query: z.object({
    ...between,
    data_source_id: idQuery("data_source_id"),
    cursor: textQuery("cursor"),
    size: integerQuery("size", { min: 1, max: 1_000, default: 30 }),
  }),
  responses: {
    200: {
      description: "Changes after `from` and up to `to` (default now); continue after `cursor`",
      schema: LineageChangeList,
      headers: { "X-Lineage-Unsettled": pastLineageHeaders["X-Lineage-Unsettled"] },
    },
  },
});

/** Operations for what changed in lineage; they wait their turn with the other questions of lineage. */
export function pastLineageRoutes(context: Context, queue: LineageQueue): Route[] {
  const diff = (spec: typeof upstream, direction: Direction) =>
    serve(spec, async ({ params, query, actor }) => {
      const question = {
        id: params.data_entity_id,
        direction,
        depth: query.lineage_depth,
        from: query.from,
        to: query.to,
        includeSame: query.include_same ?? false,
      };
      const { json, headers } = await queue.run(
        () => lineageDiff(context, question),
        actor,
      );
      return okJson(json, headers);
    });
  return [
    diff(upstream, "upstream"),
    diff(downstream, "downstream"),
    serve(changes, async ({ query, actor }) => {
      const { from, to, cursor, size, data_source_id: source } = query;
      const question = { from, to, cursor, size, source };
      const { json, headers } = await queue.run(
        () => lineageChanges(context, question),
        actor,
      );
      return okJson(json, headers);
    }),
  ];
}
