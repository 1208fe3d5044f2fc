import type { Finding, StatementCounter } from "../connector.ts";
import { transactionUnderLease } from "../deps.ts";
import type { PublishingOptions } from "./options.ts";
import * as queries from "./usage.queries.ts";

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
      tx.query(queries.record, [
        run.connection_id,
        run.id,
        now,
        counters.map(({ key }) => key),
        counters.map(({ calls }) => String(calls)),
        counters.map(({ since }) => since === null ? null : new Date(since)),
        counters.map(({ role }) => role),
        reads.map(({ at }) => at),
        reads.map(({ catrn }) => catrn),
      ]));
  }

  /** Moves the window on, and sums it up for those who ask. */
  async #end(isComplete: boolean): Promise<void> {
    const { deps, run, lease } = this.options;
    const now = new Date(deps.clock.now());
    await transactionUnderLease(deps, lease, async (tx) => {
      await tx.query(queries.endWindow, [run.connection_id, now, isComplete]);
      if (!this.#hasRoles) await tx.query(queries.forgetRoles, [run.connection_id]);
      if (isComplete) await tx.query(queries.forgetCounters, [run.connection_id, run.id]);
      await tx.query(queries.forgetDays, [run.connection_id, now]);
      await tx.query(queries.forgetUsageDays, [run.connection_id, now]);
      await tx.query(queries.sumUp, [run.connection_id]);
      await tx.query(queries.forgetSums, [run.connection_id]);
    });
  }
}
