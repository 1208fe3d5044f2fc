import { z } from "@hono/zod-openapi";
import { integerQuery, textQuery, Timestamp } from "#contract/http.ts";
import { listIntakeWarnings, maxIntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";

const IntakeWarning = z.object({
  at: Timestamp,
  namespace: z.string().openapi({
    description: "Of the job or dataset; empty if unknown",
  }),
  name: z.string(),
  kind: z.string().openapi({
    description: "`refused`: nothing of the event was taken; `dropped`: a part of it was not; " +
      "`unreadable`: a record of the foreign topic was no event; or what its lineage lacks",
  }),
  reason: z.string(),
  count: z.number().int().openapi({
    format: "int64",
    description: "Number of occurrences since it was first recorded",
  }),
}).openapi("OpenLineageComplaint");

const listSpec = operation({
  id: "getOpenLineageComplaints",
  method: "get",
  path: "/api/openlineage/complaints",
  tag: "openlineage",
  summary: "What of OpenLineage events was refused or left out, newest first",
  access: "signed-in",
  query: z.object({
    namespace: textQuery("namespace"),
    limit: integerQuery("limit", { min: 1, max: maxIntakeWarnings, default: 100 }),
  }),
  responses: {
    200: {
      description: "Those that were repeated last",
      schema: z.object({ items: z.array(IntakeWarning) }).openapi("OpenLineageComplaintList"),
    },
  },
});

/** The operation that lists what producers of OpenLineage events should fix. */
export function intakeWarningRoutes({ db }: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => listIntakeWarnings(db, query.namespace, query.limit)),
  ];
}
