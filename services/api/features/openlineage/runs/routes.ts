import { z } from "@hono/zod-openapi";
import { storableParameter } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import { OpenLineageRunLineageList, OpenLineageRunList } from "./schemas.ts";
import * as service from "./service.ts";

const runsSpec = operation({
  id: "getOpenLineageRuns",
  method: "get",
  path: "/api/openlineage/runs",
  document: "platform",
  tag: "openlineage",
  summary: "Status of a run from OpenLineage events",
  access: "signed-in",
  query: z.object({
    run_id: storableParameter.min(1).openapi({
      param: { name: "run_id", in: "query", required: true, description: "`runId` of the events" },
    }),
  }),
  responses: {
    200: {
      description: "The runs of this id; of a UUID there is one at most",
      schema: OpenLineageRunList,
    },
  },
});

const lineageSpec = operation({
  id: "getOpenLineageRunLineage",
  method: "get",
  path: "/api/openlineage/runs/{run_id}/lineage",
  document: "platform",
  tag: "openlineage",
  summary: "What a run from OpenLineage events read and wrote, with the versions of the datasets",
  access: "signed-in",
  params: z.object({
    run_id: storableParameter.min(1).openapi({
      param: { name: "run_id", in: "path", required: true, description: "`runId` of the events" },
    }),
  }),
  responses: {
    200: {
      description: "The runs of this id; none when no event reported it",
      schema: OpenLineageRunLineageList,
    },
  },
});

/** Runs of OpenLineage, by the ids that their events give them. */
export function openLineageRunRoutes(context: Pick<Context, "db">): Route[] {
  return [
    serve(runsSpec, async ({ query }) => okJson(await service.findRuns(context, query.run_id))),
    serve(
      lineageSpec,
      async ({ params }) => okJson(await service.findLineage(context, params.run_id)),
    ),
  ];
}
