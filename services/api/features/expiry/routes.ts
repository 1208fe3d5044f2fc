import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { Id, idParam, integerQuery, Timestamp } from "#contract/http.ts";
import { requireFound } from "#kit/errors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import {
  approvalMs,
  type EvaluatedSource,
  evaluateSource,
  isApproved,
  type StaleConfig,
} from "#platform/stale/evaluate.ts";
import { candidatesOf } from "#platform/stale/queries.ts";

const Count = z.number().int().openapi({ format: "int64" });

const ExpiryPolicy = z.object({
  source: z.string().openapi({
    description: "CATRN of the data source, or what those of several begin with",
  }),
  act: z.enum(["edges", "delete"]).openapi({
    description: "What expires: the edges that an entity declared, or the entity",
  }),
  after_hours: z.number().openapi({ description: "How long an entity was not brought by then" }),
  every_hours: z.number().openapi({ description: "Time between two sweeps" }),
  dry_run: z.boolean().openapi({ description: "Whether sweeps do nothing, for every source" }),
}).openapi("DataSourceExpiryPolicy");

const ExpiryOutlook = z.object({
  state: z.enum(["silent", "none", "held", "due"]).openapi({
    description:
      "`silent`: nothing expires, since the source itself was not seen in each half of the " +
      "period; `none`: nothing is stale; `held`: more than the limit allows, so nothing " +
      "expires until an approval; `due`: the next sweep expires it",
  }),
  live: Count.openapi({ description: "Entities of the source" }),
  stale: Count.openapi({ description: "Those that were not brought for the period" }),
  fuse: Count.openapi({ description: "Maximum number that expires at once without approval" }),
  approved: optional(Count).openapi({
    description: "How many may expire whatever the fuse says; null unless an approval counts now",
  }),
  approved_until: optional(Timestamp).openapi({ description: "Until when it counts" }),
  seen_at: optional(Timestamp).openapi({ description: "When the source was seen last" }),
  seen_earlier: z.boolean().openapi({ description: "Seen in the first half of the period" }),
  seen_later: z.boolean().openapi({ description: "Seen in the second half of it" }),
}).openapi("DataSourceExpiryOutlook");

const StaleEntity = z.object({
  id: Id,
  catrn: z.string(),
  name: optional(z.string()),
  seen_at: Timestamp.openapi({ description: "When it was brought last" }),
}).openapi("StaleEntity");

const DataSourceExpiry = z.object({
  name: z.string(),
  catrn: z.string().openapi({ description: "Of the data source" }),
  policy: optional(ExpiryPolicy).openapi({
    description: "The first that matches the data source; null: none does, and nothing expires",
  }),
  outlook: optional(ExpiryOutlook).openapi({ description: "As a sweep would find it now" }),
  items: z.array(StaleEntity).openapi({
    description: "What would expire, by id, on halt or not; the first of them",
  }),
}).openapi("DataSourceExpiry");

/** Maximum number of entities that an answer names, as `npm run stale -- dry-run` does. */
const maxNamed = 1_000;

const expirySpec = operation({
  id: "getDataSourceExpiry",
  method: "get",
  path: "/api/datasources/{data_source_id}/expiry",
  tag: "dataSource",
  summary:
    "Assets of a data source that would expire now, the policy, and whether the fuse blocks it",
  // It counts all entities of the source, and approving takes the command line.
  access: { permission: "OPERATIONS_VIEW", on: "MANAGEMENT" },
  params: z.object({ data_source_id: idParam("data_source_id") }),
  query: z.object({ limit: integerQuery("limit", { min: 1, max: maxNamed, default: 100 }) }),
  responses: { 200: { description: "As a sweep would find it", schema: DataSourceExpiry } },
});

/** The operation that lists what a data source would lose. */
export function expiryRoutes(context: Pick<Context, "db" | "config" | "clock">): Route[] {
  return [
    serve(
      expirySpec,
      async ({ params, query }) => ok(await expiryOf(context, params.data_source_id, query.limit)),
    ),
  ];
}

const sourceStatement = statement<{ name: string; catrn: string }>("expiry-source")`
  SELECT name, catrn FROM data_source WHERE id = $1`;

/** What would expire of a data source now, and why or why not (DataSourceExpiry); changes nothing. Throws 404. */
async function expiryOf(
  { db, config, clock }: Pick<Context, "db" | "config" | "clock">,
  id: number,
  limit: number,
) {
  const source = requireFound(await db.query(sourceStatement, [id]), "Data source", id);
  const { stale } = config.housekeeping;
  const now = new Date(clock.now());
  const evaluated = await evaluateSource(db, stale, id, now);
  if (!evaluated) return { ...source, policy: null, outlook: null, items: [] };
  const edges = evaluated.policy.act === "edges";
  const found = await candidatesOf(db, id, evaluated.period.cutoff, { edges, max: limit });
  return {
    ...source,
    policy: policyOf(evaluated, stale),
    outlook: outlookOf(evaluated, now),
    items: found.map(({ id, catrn, name, seen }) => ({ id, catrn, name, seen_at: seen })),
  };
}

const hourMs = 3_600_000;

function policyOf({ policy }: EvaluatedSource, config: StaleConfig) {
  return {
    source: policy.source,
    act: policy.act,
    after_hours: policy.after / hourMs,
    every_hours: config.every / hourMs,
    dry_run: config["dry-run"],
  };
}

function outlookOf({ survey, decision, fuse, state }: EvaluatedSource, now: Date) {
  const counts = isApproved(survey.stale, decision, now);
  const { approved, approvedAt } = decision;
  return {
    state,
    live: survey.live,
    stale: survey.stale,
    fuse,
    approved: counts ? approved : null,
    approved_until: counts ? new Date(Date.parse(approvedAt!) + approvalMs).toISOString() : null,
    seen_at: survey.seen,
    seen_earlier: survey.early,
    seen_later: survey.late,
  };
}
