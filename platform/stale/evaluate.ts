import type { Database, Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import { type NamedSource, namedSources, type Period, type Survey, surveyOf } from "./queries.ts";

export type StaleConfig = Config["housekeeping"]["stale"];
type StalePolicy = StaleConfig["sources"][number];

/**
 * What becomes of a source's stale entities: `silent`, they stay, since the source itself was not seen in each half
 * of the period; `none`, there are none; `held`, the fuse keeps them; `due`, they expire.
 */
type StaleState = "silent" | "none" | "held" | "due";

/** A source that a policy names, and what is to become of what is stale of it. */
export interface EvaluatedSource {
  source: NamedSource;
  policy: StalePolicy;
  period: Period;
  survey: Survey;
  decision: Decision;
  /** Most that expire at once without approval. */
  fuse: number;
  state: StaleState;
}

/** Milliseconds that an approval counts. */
export const approvalMs = 24 * 60 * 60 * 1_000;

/** So that 0.29 of 100 is 29. */
const rounding = 1e-9;

/** Share by which the number may have changed since it was approved. */
const tolerance = 0.1;

/** Judges every source that a policy names at a time, in order of ids. */
export async function* evaluateSources(
  db: Database,
  config: StaleConfig,
  now: Date,
): AsyncGenerator<EvaluatedSource> {
  if (config.sources.length === 0) return;
  const sources = await namedSources(db, config.sources.map(({ source }) => source));
  for (const source of sources) yield await evaluate(db, config, source, now);
}

/** Judges one source at a time; undefined where no policy names it. */
export async function evaluateSource(
  db: Database,
  config: StaleConfig,
  id: number,
  now: Date,
): Promise<EvaluatedSource | undefined> {
  if (config.sources.length === 0) return undefined;
  const [source] = await namedSources(db, config.sources.map(({ source }) => source), id);
  return source && await evaluate(db, config, source, now);
}

async function evaluate(
  db: Database,
  config: StaleConfig,
  source: NamedSource,
  now: Date,
): Promise<EvaluatedSource> {
  const policy = config.sources[source.policy]!;
  const period = periodOf(policy, now);
  const survey = await surveyOf(db, source.id, period, policy.act === "edges");
  const decision = await decisionOf(db, source.id);
  const fuse = Math.max(config["fuse-min"], Math.floor(config.fuse * survey.live + rounding));
  const state = stateOf(survey, fuse, isApproved(survey.stale, decision, now));
  return { source, policy, period, survey, decision, fuse, state };
}

function periodOf({ after }: StalePolicy, now: Date): Period {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  return { cutoff: before(after), middle: before(after / 2), now: now.toISOString() };
}

function stateOf({ early, late, stale }: Survey, fuse: number, approved: boolean): StaleState {
  if (!early || !late) return "silent";
  if (stale === 0) return "none";
  return stale > fuse && !approved ? "held" : "due";
}

/** Whether so many were approved, less than a day ago and within a tenth. */
export function isApproved(
  stale: number,
  { approved, approvedAt }: Decision,
  now: Date,
): boolean {
  if (approved === null || approvedAt === null) return false;
  const age = now.getTime() - Date.parse(approvedAt);
  return age >= 0 && age < approvalMs && Math.abs(stale - approved) <= approved * tolerance;
}

/** What is decided of a source. */
interface Decision {
  /** How many are on halt since an alert reported them; null: none. */
  held: number | null;
  /** How many may expire yet; null: nobody approved any. */
  approved: number | null;
  /** When somebody did, RFC 3339. */
  approvedAt: string | null;
}

const decisionStatement = statement<Decision>("stale-decision")`
  SELECT held, approved, iso(approved_at) AS "approvedAt" FROM stale_source WHERE data_source_id = $1`;

async function decisionOf(db: Queryable, source: number): Promise<Decision> {
  const [found] = await db.query(decisionStatement, [source]);
  return found ?? { held: null, approved: null, approvedAt: null };
}

const recordHalt = statement("stale-hold")`
  INSERT INTO stale_source (data_source_id, held) VALUES ($1, $2)
  ON CONFLICT (data_source_id) DO UPDATE SET held = excluded.held`;

/** Records the number of entities on halt; null: none any more. */
export async function recordHalted(
  db: Queryable,
  source: number,
  halted: number | null,
): Promise<void> {
  await db.query(recordHalt, [source, halted]);
}

const approve = statement("stale-approve")`
  INSERT INTO stale_source (data_source_id, approved, approved_at)
  SELECT id, $2, $3 FROM data_source WHERE catrn = $1
  ON CONFLICT (data_source_id) DO UPDATE
    SET approved = excluded.approved, approved_at = excluded.approved_at
  RETURNING data_source_id`;

/** Approves that so many of a source expire. False for an unknown source. */
export async function noteApproved(
  db: Queryable,
  catrn: string,
  count: number,
  at: string,
): Promise<boolean> {
  return (await db.query(approve, [catrn, count, at])).length > 0;
}

const spend = statement("stale-spend")`
  UPDATE stale_source SET approved = greatest(approved - $2, 0) WHERE data_source_id = $1`;

/** Counts what has expired against what was approved, so that a sweep that was interrupted goes on. */
export async function spendApproval(db: Queryable, source: number, count: number): Promise<void> {
  await db.query(spend, [source, count]);
}

const clear = statement("stale-clear")`DELETE FROM stale_source WHERE data_source_id = $1`;

/** Forgets what was decided of a source. */
export async function clearDecision(db: Queryable, source: number): Promise<void> {
  await db.query(clear, [source]);
}
