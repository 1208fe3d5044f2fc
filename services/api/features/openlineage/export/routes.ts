import { z } from "@hono/zod-openapi";
import { idQuery } from "#contract/http.ts";
import { momentQuery, pastLineageHeaders } from "#contract/lineage.ts";
import type { Context } from "#platform/context.ts";
import { callerKey } from "#platform/operations/caller.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { Slots } from "#services/api/transfers.ts";
import { maxExports } from "./limits.ts";
import * as service from "./service.ts";

const exportSpec = operation({
  id: "exportOpenLineage",
  method: "get",
  path: "/api/openlineage/export",
  tag: "openlineage",
  summary: "Datasets, jobs and their lineage as OpenLineage events, one a line",
  access: "signed-in",
  query: z.object({
    data_source_id: idQuery("data_source_id"),
    as_of: momentQuery(
      "as_of",
      "Jobs with the inputs and outputs that they had at this time, and nothing else: schemas, descriptions and " +
        "column lineage have no history. RFC 3339 with an offset, milliseconds.",
    ),
  }),
  responses: {
    200: {
      description:
        "JobEvents and DatasetEvents, streamed; `POST /api/v1/lineage/batch` accepts them",
      schema: z.string(),
      contentType: "application/x-ndjson",
      headers: {
        "Content-Disposition": "A name for the file",
        "X-Lineage-As-Of": pastLineageHeaders["X-Lineage-As-Of"],
        "X-Lineage-Unsettled": pastLineageHeaders["X-Lineage-Unsettled"],
      },
    },
  },
  errors: [404],
});

/** The catalogue's lineage for others that speak OpenLineage. */
export function openLineageExportRoutes(
  context: Pick<Context, "db" | "config" | "clock" | "log">,
): Route[] {
  const deps = { ...context, slots: new Slots(maxExports, "exports of lineage") };
  return [
    serve(exportSpec, ({ query: { data_source_id: source, as_of: asOf }, actor }) => {
      return service.exportEvents({ ...deps, caller: callerKey(actor) }, { source, asOf });
    }),
  ];
}
