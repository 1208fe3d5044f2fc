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
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import {
  lineageChanges,
  lineageDiff,
  type LineageQueue,
} from "#services/api/features/lineage/service.ts";

const common = { method: "get", tag: "dataEntity", access: "signed-in" } as const;

const between = {
  from: timeQuery("from", { required: true }),
  to: timeQuery("to"),
};

function diffOf(id: string, direction: Direction, summary: string) {
  return operation({
    ...common,
    id,
    path: `/api/dataentities/{data_entity_id}/lineage/${direction}/diff`,
    summary,
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
  ...common,
  id: "getLineageChanges",
  path: "/api/lineage/changes",
  summary: "Edges that came and went between two times, newest first",
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
    serve(spec, ({ params: { data_entity_id: id }, query, actor }) => {
      const { lineage_depth: depth, from, to, include_same: includeSame = false } = query;
      const question = { id, direction, depth, from, to, includeSame };
      return queue.reply(() => lineageDiff(context, question), actor);
    });
  return [
    diff(upstream, "upstream"),
    diff(downstream, "downstream"),
    serve(changes, ({ query: { data_source_id: source, ...query }, actor }) => {
      return queue.reply(() => lineageChanges(context, { ...query, source }), actor);
    }),
  ];
}
