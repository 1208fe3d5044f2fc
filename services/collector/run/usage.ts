import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import type { Finding, StatementCounter } from "../connector.ts";
import { transactionUnderLease } from "../deps.ts";
import type { PublishingOptions } from "./sink.ts";

type UsageFinding = Extract<Finding, { kind: "usage" }>;

/**
 * Turns counters of a source into reads of datasets. What a counter grew by since the run before is what was read in
 * between; a counter that was reset counts from 0, and the first run only notes where counters stand. Counters and
 * reads change in one transaction, so nothing counts twice.
 */
export class UsageRecorder {
  #hasRoles = false;

  constructor(private readonly options: PublishingOptions) {}

  async add({ counters, end }: UsageFinding): Promise<void> {
    this.#hasRoles ||= counters.some(({ role }) => role !== "");
    if (counters.length > 0) await this.#record(counters);
    if (end) await this.#end(end.isComplete);
  }

  async #record(counters: StatementCounter[]): Promise<void> {
    const { deps, run, lease } = this.options;
    const now = new Date(deps.clock.now());
    const reads = counters.flatMap(({ reads }, at) =>
      reads.map((catrn) => ({ at: at + 1, catrn }))
    );
    await transactionUnderLease(deps, lease, (tx) =>
      tx.query(record, [
        run.connection_id,
        run.id,
        now,
        counters.map(({ key }) => key),
        counters.map(({ calls }) => String(calls)),
        counters.map(({ since }) => since === null ? null : new Date(since)),
        counters.map(({ role }) => role),
        ...columnsOf(reads, "at", "catrn"),
      ]));
  }

  /** Moves the window on, and sums it up for those who ask. */
  async #end(isComplete: boolean): Promise<void> {
    const { deps, run, lease } = this.options;
    const now = new Date(deps.clock.now());
    await transactionUnderLease(deps, lease, async (tx) => {
      await tx.query(endWindow, [run.connection_id, now, isComplete]);
      if (!this.#hasRoles) await tx.query(forgetRoles, [run.connection_id]);
      if (isComplete) await tx.query(forgetCounters, [run.connection_id, run.id]);
      await tx.query(forgetDays, [run.connection_id, now]);
      await tx.query(sumUp, [run.connection_id]);
      await tx.query(forgetSums, [run.connection_id]);
    });
  }
}

/** Days that a window of usage has at most. */
const windowDays = 30;

/** $1 connection: its day goes on to `now`. */
const today = (now: string) => `
  day AS (
    INSERT INTO connection_usage_day AS d (connection_id, day, from_at, until_at)
    SELECT id, (${now}::timestamptz AT TIME ZONE 'UTC')::date, usage_at, ${now}
      FROM connection WHERE id = $1 AND usage_at IS NOT NULL
    ON CONFLICT (connection_id, day) DO UPDATE
      SET from_at = least(d.from_at, excluded.from_at), until_at = excluded.until_at)`;

/**
 * $1 connection, $2 run, $3 now; $4 keys, $5 calls, $6 beginnings and $7 roles of counters; $8 number of the counter, from
 * 1, and $9 CATRN of each read. A counter that was not there before has counted since then, if all were listed before, or
 * if it began later.
 */
const record = statement("collector-usage-record")`
  WITH given AS (
    SELECT * FROM unnest($4::text[], $5::bigint[], $6::timestamptz[], $7::text[])
      WITH ORDINALITY AS g (key, calls, since, role, n)),
  delta AS (
    SELECT g.n, g.role,
           CASE WHEN c.usage_at IS NULL THEN 0
                WHEN b.key IS NULL THEN CASE WHEN c.usage_complete OR g.since >= c.usage_at THEN g.calls ELSE 0 END
                WHEN g.calls < b.calls OR g.since > b.since THEN g.calls
                ELSE g.calls - b.calls END AS calls
      FROM given g JOIN connection c ON c.id = $1
      LEFT JOIN connection_statement b ON b.connection_id = $1 AND b.key = g.key),
  stored AS (
    INSERT INTO connection_statement (connection_id, key, calls, since, run_id)
    SELECT $1, key, calls, since, $2 FROM given ORDER BY key
    ON CONFLICT (connection_id, key) DO UPDATE
      SET calls = excluded.calls, since = excluded.since, run_id = excluded.run_id),
  ${today("$3")}
  INSERT INTO dataset_usage AS u (connection_id, catrn, day, role, reads)
  SELECT $1, r.catrn, ($3::timestamptz AT TIME ZONE 'UTC')::date, d.role, sum(d.calls)::bigint
    FROM unnest($8::integer[], $9::text[]) AS r (n, catrn) JOIN delta d USING (n)
   WHERE d.calls > 0 GROUP BY r.catrn, d.role ORDER BY r.catrn, d.role
  ON CONFLICT (connection_id, catrn, day, role) DO UPDATE SET reads = u.reads + excluded.reads`;

/** $1 connection, $2 now, $3 whether all counters were listed: the next run counts from here. */
const endWindow = statement("collector-usage-end")`
  WITH ${today("$2")}
  UPDATE connection SET usage_at = $2, usage_complete = $3 WHERE id = $1`;

/** $1 connection, $2 run: counters that the source no longer has; if they come back, they begin at 0 again. */
const forgetCounters = statement("collector-usage-forget-counters")`
  DELETE FROM connection_statement WHERE connection_id = $1 AND run_id <> $2`;

const isPast =
  `connection_id = $1 AND day <= ($2::timestamptz AT TIME ZONE 'UTC')::date - ${windowDays}`;

/** $1 connection, $2 now: days that no window has any more, with the reads of their datasets. */
const forgetDays = statement("collector-usage-forget-days")`
  WITH days AS (DELETE FROM connection_usage_day WHERE ${isPast})
  DELETE FROM dataset_usage WHERE ${isPast}`;

/** $1 connection: reads of each dataset in the window, for lists and search. */
const sumUp = statement("collector-usage-sum")`
  INSERT INTO entity_usage AS u (entity_id, connection_id, reads)
  SELECT e.id, $1, sum(d.reads)::bigint
    FROM dataset_usage d JOIN data_entity e ON e.catrn = d.catrn
   WHERE d.connection_id = $1 GROUP BY e.id ORDER BY e.id
  ON CONFLICT (entity_id) DO UPDATE SET connection_id = excluded.connection_id, reads = excluded.reads
    WHERE (u.connection_id, u.reads) IS DISTINCT FROM (excluded.connection_id, excluded.reads)`;

/** $1 connection: datasets that were not read in the window. */
const forgetSums = statement("collector-usage-forget-sums")`
  DELETE FROM entity_usage u WHERE connection_id = $1 AND NOT EXISTS (
    SELECT FROM dataset_usage d JOIN data_entity e ON e.catrn = d.catrn
     WHERE d.connection_id = $1 AND e.id = u.entity_id)`;

/** $1 connection: names of roles that may not be stored any more; their reads stay. */
const forgetRoles = statement("collector-usage-forget-roles")`
  WITH named AS (
    DELETE FROM dataset_usage WHERE connection_id = $1 AND role <> '' RETURNING catrn, day, reads)
  INSERT INTO dataset_usage AS u (connection_id, catrn, day, reads)
  SELECT $1, catrn, day, sum(reads)::bigint FROM named GROUP BY catrn, day ORDER BY catrn, day
  ON CONFLICT (connection_id, catrn, day, role) DO UPDATE SET reads = u.reads + excluded.reads`;
