import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { bounded } from "#kit/text.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { type IntakeWarningRow, recordIntakeWarnings } from "./intake-warnings.queries.ts";

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
const longest = { namespace: 1_000, name: 1_500, reason: 300 };

/**
 * Collects intake warnings and writes them in the background, equal ones as one: whatever is sent, a process
 * writes at most `maxWaitingWarnings` rows a second. Those of a process that dies are lost.
 */
export class IntakeWarnings {
  #waiting = new Map<string, IntakeWarningRow>();
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
      namespace: bounded(warning.namespace, longest.namespace),
      name: bounded(warning.name, longest.name),
      kind: warning.kind,
      reason: bounded(warning.reason, longest.reason),
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

  async #write(rows: IntakeWarningRow[]): Promise<void> {
    const { db, clock, log } = this.options;
    try {
      await retryingTransaction(db, (tx) => recordIntakeWarnings(tx, rows, clock.now()));
    } catch (error) {
      this.#lost.inc({}, rows.reduce((sum, { count }) => sum + count, 0));
      log.warn("OpenLineage intake warnings were not written", { error });
    }
  }
}
