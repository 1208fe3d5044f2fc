import { ingestionDeadLetters, openlineageDeadLetters } from "#contract/topics.ts";
import { isProjected } from "#graph/port.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { readHead } from "#platform/ops/edges.ts";
import { type GroupOfTopic, groups } from "#platform/ops/lag.ts";

/** Milliseconds between two reports. */
const reportEveryMs = 60_000;

/** Milliseconds that the end of the process waits for a report. */
const stopMs = 1_000;

type ReportDeps = Pick<Context, "db" | "clock" | "log">;

/** Adds what this process counted to the figures of the instance, every minute. Returns a function that ends it. */
export function reportFigures(deps: ReportDeps, figures: ProcessFigures): () => Promise<void> {
  const { clock, log } = deps;
  let begun = false;
  const loop = new Loop({
    clock,
    retry: { initial: reportEveryMs, max: reportEveryMs },
    stopMs,
    failed: (error) => log.debug("figures could not be reported", { error: messageOf(error) }),
    async round() {
      // Nothing was counted yet.
      if (begun) await reportOnce(deps, figures);
      begun = true;
      return reportEveryMs;
    },
  });
  loop.start((error) => log.error("figures are no longer written", { error }));
  return () => loop.stop();
}

/** Writes what was counted since the last report; a failed one is part of the next. */
export async function reportOnce(
  { db }: Pick<ReportDeps, "db">,
  figures: ProcessFigures,
): Promise<void> {
  const counts = figures.drain();
  await db.query(addCounts, columnsOfSamples(counts)).catch((error) => {
    figures.restore(counts);
    throw error;
  });
  const slow = db.slow.drain();
  if (slow.length === 0) return;
  const rounded = slow.map(({ totalMs, maxMs, ...one }) => (
    { ...one, totalMs: Math.round(totalMs), maxMs: Math.round(maxMs) }
  ));
  const columns = columnsOf(rounded, "statement", "calls", "totalMs", "maxMs");
  await db.query(addSlow, columns).catch((error) => {
    db.slow.restore(slow);
    throw error;
  });
}

/** What a process counts of itself between two reports; reports of all processes of a minute are added up. */
export class ProcessFigures {
  #requests = 0;
  #failed = 0;

  /** Counts one answered request of the API; `status`: that of its answer. */
  answered(status: number): void {
    this.#requests++;
    if (status >= 500) this.#failed++;
  }

  /** Returns the counts by series, and forgets them. */
  drain(): Map<string, number> {
    const counts = new Map([["requests", this.#requests], ["requests/failed", this.#failed]]);
    [this.#requests, this.#failed] = [0, 0];
    return counts;
  }

  /** Takes back what was drained and could not be stored. */
  restore(counts: Map<string, number>): void {
    this.#requests += counts.get("requests") ?? 0;
    this.#failed += counts.get("requests/failed") ?? 0;
  }
}

type SampleDeps = Pick<Context, "db" | "events" | "graph">;

/** Milliseconds within which an engine has to answer; what it does not tell is a gap. */
const sampleTimeoutMs = 10_000;

/** Series of the lag of a consumer, in records, and of the records that it has done since the topic was created. */
export const lagSeries = ({ group, topic }: GroupOfTopic) => `lag/${group}/${topic}`;
export const doneSeries = ({ group, topic }: GroupOfTopic) => `done/${group}/${topic}`;
/** Series of the changes of lineage that the graph still lacks. */
export const projectionSeries = "lag/projection";
/** Series of the dead letters that were ever stored. */
export const deadLetterSeries = "dead-letters";

/** What the instance measures of itself now, by series; parts that cannot be read are missing, with `failed` saying why. */
export async function takeSamples(
  deps: SampleDeps,
): Promise<{ samples: Map<string, number>; failed: unknown[] }> {
  const parts = [
    ...groups.map((group) => () => consumerSamples(deps, group)),
    () => deadLetterSamples(deps),
    () => projectionSamples(deps),
  ];
  const late = () => new Error(`no answer within ${sampleTimeoutMs / 1_000} s`);
  const taken = await Promise.allSettled(
    parts.map((part) => withTimeout(part(), sampleTimeoutMs, late)),
  );
  return {
    samples: new Map(taken.flatMap((one) => one.status === "fulfilled" ? one.value : [])),
    failed: taken.flatMap((one) => one.status === "rejected" ? [one.reason] : []),
  };
}

type Samples = [series: string, value: number][];

async function consumerSamples({ events }: SampleDeps, consumer: GroupOfTopic): Promise<Samples> {
  const partitions = await events.lag(consumer.group, consumer.topic);
  const sum = (of: "lag" | "committed") => partitions.reduce((all, one) => all + one[of], 0);
  return [[lagSeries(consumer), sum("lag")], [doneSeries(consumer), sum("committed")]];
}

async function deadLetterSamples({ events }: SampleDeps): Promise<Samples> {
  const bounds = await Promise.all(
    [ingestionDeadLetters, openlineageDeadLetters].map((topic) => events.bounds(topic)),
  );
  return [[deadLetterSeries, bounds.flat().reduce((all, { end }) => all + end, 0)]];
}

/** Of a graph that is the metadata itself there is nothing to measure. */
async function projectionSamples({ db, graph }: SampleDeps): Promise<Samples> {
  if (!isProjected(graph)) return [];
  const [head, position] = await Promise.all([readHead(db), graph.position(sampleTimeoutMs)]);
  return [[projectionSeries, Math.max(0, head - position)]];
}

/** Writes samples of this minute; `value`: what becomes of two of one series. */
const writeSamples = (name: string, value: string) =>
  statement(name)`
  INSERT INTO ops_sample (sampled_at, series, value)
  SELECT date_trunc('minute', now()), series, value FROM unnest($1::text[], $2::bigint[]) u (series, value) ORDER BY series
  ON CONFLICT (sampled_at, series) DO UPDATE SET value = ${value}`;

const columnsOfSamples = (samples: Map<string, number>) => [
  [...samples.keys()],
  [...samples.values()],
];

/** Adds to what processes counted in this minute. */
const addCounts = writeSamples("ops-sample-add", "ops_sample.value + excluded.value");

const putSamples = writeSamples("ops-sample-set", "greatest(ops_sample.value, excluded.value)");

/** Writes what was measured in this minute; of two measurements the higher one. */
export async function setSamples(db: Database, samples: Map<string, number>): Promise<void> {
  await db.query(putSamples, columnsOfSamples(samples));
}

/** Adds to the slow statements of this hour. */
const addSlow = statement("slow-statement-add")`
  INSERT INTO slow_statement (hour, statement, calls, total_ms, max_ms)
  SELECT date_trunc('hour', now()), s, c, t, m
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) u (s, c, t, m) ORDER BY s
  ON CONFLICT (hour, statement) DO UPDATE
    SET calls = slow_statement.calls + excluded.calls,
        total_ms = slow_statement.total_ms + excluded.total_ms,
        max_ms = greatest(slow_statement.max_ms, excluded.max_ms)`;

/** Hours that samples and slow statements are retained; a day of them is shown. */
const retainedHours = 25;

const forgetOld = statement<{ count: number }>("ops-sample-forget")`
  WITH gone AS (
    DELETE FROM ops_sample WHERE (sampled_at, series) IN (
      SELECT sampled_at, series FROM ops_sample
       WHERE sampled_at < $1::timestamptz - ${retainedHours} * interval '1 hour'
       ORDER BY sampled_at LIMIT $2)
    RETURNING 1),
  slow AS (
    DELETE FROM slow_statement WHERE (hour, statement) IN (
      SELECT hour, statement FROM slow_statement
       WHERE hour < $1::timestamptz - ${retainedHours} * interval '1 hour' ORDER BY hour LIMIT $2)
    RETURNING 1)
  SELECT greatest((SELECT count(*) FROM gone), (SELECT count(*) FROM slow)) AS count`;

/** Removes at most `max` samples, and as many slow statements, of more than a day ago; how many of the larger. */
export async function forgetHistory(db: Database, now: Date, max: number): Promise<number> {
  return (await db.query(forgetOld, [now.toISOString(), max]))[0]!.count;
}
