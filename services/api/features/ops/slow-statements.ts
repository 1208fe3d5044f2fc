import { slowMs } from "#metadata/postgres/slow-statements.ts";
import type { Context } from "#platform/context.ts";
import { CachedProbe } from "#platform/ops/cached-probe.ts";
import { maxSlowStatements } from "#services/api/features/ops/bounds.ts";
import {
  readSlowStatements,
  type SlowStatementRow,
} from "#services/api/features/ops/history.queries.ts";
import { partState } from "#services/api/features/ops/part-state.ts";

const timeoutMs = 4_000;

/** What every process reported of its slow statements. */
export class SlowStatementList {
  readonly #probe: CachedProbe<SlowStatementRow[]>;

  constructor({ db, clock }: Pick<Context, "db" | "clock">) {
    const read = () => readSlowStatements(db, maxSlowStatements);
    this.#probe = new CachedProbe({ read, timeoutMs, clock });
  }

  /** OpsSlowStatementList. */
  async list(): Promise<object> {
    const seen = await this.#probe.probe();
    return { ...partState(seen), threshold_ms: slowMs, items: seen.known ? seen.value : [] };
  }
}
