import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import {
  approvalMs,
  type EvaluatedSource,
  evaluateSource,
  isApproved,
  type StaleConfig,
} from "#platform/stale/evaluate.ts";
import { candidatesOf } from "#platform/stale/queries.ts";

const hourMs = 3_600_000;

/** What would expire of a data source now, and why or why not (DataSourceExpiry); changes nothing. Throws 404. */
export async function expiryOf(
  { db, config, clock }: Pick<Context, "db" | "config" | "clock">,
  id: number,
  limit: number,
) {
  const source = await sourceOf(db, id);
  if (!source) throw notFound("Data source", id);
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

interface SourceNames {
  name: string;
  catrn: string;
}

const sourceStatement = statement<SourceNames>("expiry-source")`
  SELECT name, catrn FROM data_source WHERE id = $1`;

/** How a data source is called; undefined when there is none. */
async function sourceOf(db: Queryable, id: number): Promise<SourceNames | undefined> {
  return (await db.query(sourceStatement, [id]))[0];
}
