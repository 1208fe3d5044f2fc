import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { bounded } from "#kit/text.ts";
import type { Database, Queryable } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { columnsOf, type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** The subject of an intake warning: an event, or what it names. */
export interface IntakeWarning {
  /** Of the job or dataset; empty if it is unknown. */
  namespace: string;
  name: string;
  /** A short stable word: `refused`, `dropped`, `unreadable`, `ambiguous`, … */
  kind: string;
  /** A fixed text: never a value that was sent, so that there are few of them. */
  reason: string;
}

/** As it is written, with its recent count. */
type CountedWarning = IntakeWarning & { count: number };

interface IntakeWarningsOptions {
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Milliseconds from an intake warning until it is written (default 1,000). */
  afterMs?: number;
}

/** Maximum number of intake warnings that wait to be written; others are counted and dropped. */
export const maxWaitingWarnings = 500;

/** Characters kept of a namespace, of a name and of a reason. */
const longestTexts = { namespace: 1_000, name: 1_500, reason: 300 };

/**
 * Collects intake warnings and writes them in the background, equal ones as one: whatever is sent, a process
 * writes at most `maxWaitingWarnings` rows a second. Those of a process that dies are lost.
 */
export class IntakeWarnings {
  #waiting = new Map<string, CountedWarning>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #lost;

  constructor(private readonly options: IntakeWarningsOptions) {
    this.#lost = options.metrics.counter(
      "tributary_openlineage_complaints_lost_total",
      "OpenLineage intake warnings that were dropped: too many, or not writable",
    );
  }

  /** Records an intake warning; never throws and never waits. */
  note(warning: IntakeWarning, count = 1): void {
    const row = {
      namespace: bounded(warning.namespace, longestTexts.namespace),
      name: bounded(warning.name, longestTexts.name),
      kind: warning.kind,
      reason: bounded(warning.reason, longestTexts.reason),
    };
    const key = JSON.stringify(row);
    const existing = this.#waiting.get(key);
    if (existing) existing.count += count;
    else if (this.#waiting.size >= maxWaitingWarnings) this.#lost.inc({}, count);
    else this.#waiting.set(key, { ...row, count });
    this.#timer ??= setTimeout(() => void this.flush(), this.options.afterMs ?? 1_000);
  }

  /** Writes what waits; a failure is logged. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#waiting.values()];
    this.#waiting = new Map();
    if (rows.length > 0) this.#writing = this.#writing.then(() => this.#write(rows));
    await this.#writing;
  }

  async #write(rows: CountedWarning[]): Promise<void> {
    const { db, clock, log } = this.options;
    try {
      await retryingTransaction(db, async (tx) => {
        const columns = columnsOf(rows, "namespace", "name", "kind", "reason", "count");
        await tx.query(addToCounts, [...columns, new Date(clock.now())]);
        await tx.query(forgetOldest);
      });
    } catch (error) {
      this.#lost.inc({}, rows.reduce((sum, { count }) => sum + count, 0));
      log.warn("OpenLineage intake warnings were not written", { error });
    }
  }
}

/** Maximum number of intake warnings retained, the most recently repeated ones. */
export const maxIntakeWarnings = 1_000;

/** Adds to the counts of intake warnings, as of $6. */
// Ordered, so that two writers never wait for each other in a circle.
const addToCounts = statement("note-openlineage-complaints")`
  INSERT INTO openlineage_complaint AS held
         (id, namespace, name, kind, reason, count, first_at, last_at)
  SELECT md5(concat_ws(E'\\x1f', c.namespace, c.name, c.kind, c.reason))::uuid AS id,
         c.namespace, c.name, c.kind, c.reason, sum(c.count)::bigint, $6, $6
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      AS c (namespace, name, kind, reason, count)
   GROUP BY c.namespace, c.name, c.kind, c.reason
   ORDER BY 1
  ON CONFLICT (id) DO UPDATE
     SET count = held.count + excluded.count, last_at = greatest(held.last_at, excluded.last_at)`;

/** Forgets the oldest beyond the limit. */
const forgetOldest = statement("trim-openlineage-complaints")`
  DELETE FROM openlineage_complaint WHERE id IN (
    SELECT id FROM openlineage_complaint WHERE id IN (
      SELECT id FROM openlineage_complaint ORDER BY last_at DESC, id OFFSET ${maxIntakeWarnings})
     ORDER BY id FOR UPDATE SKIP LOCKED)`;

const newestWarnings = statement<JsonRow>("list-openlineage-complaints")`
  SELECT json_build_object('items', coalesce(json_agg(json_build_object(
           'at', iso(c.last_at), 'namespace', c.namespace, 'name', c.name, 'kind', c.kind,
           'reason', c.reason, 'count', c.count) ORDER BY c.last_at DESC, c.id), '[]'))::text AS json
    FROM (SELECT * FROM openlineage_complaint
           WHERE $1::text IS NULL OR namespace = $1
           ORDER BY last_at DESC, id LIMIT $2) c`;

/** `{items}`, newest first, of one namespace or of all, as JSON text. */
export async function listIntakeWarnings(
  db: Queryable,
  namespace: string | undefined,
  limit: number,
): Promise<string> {
  return (await db.query(newestWarnings, [namespace ?? null, limit]))[0]!.json;
}
