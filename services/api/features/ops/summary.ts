import process from "node:process";
import type { Context } from "#platform/context.ts";
import { CachedProbe } from "#platform/ops/cached-probe.ts";
import type { EngineStatus } from "#platform/ops/engines.ts";
import { version } from "#platform/version.ts";
import type { BackupStatus } from "#services/api/features/ops/backups.ts";
import { stuckMinutes } from "#services/api/features/ops/limits.ts";
import type { DeadLettersQuery } from "#services/api/features/ops/dead-letters.ts";
import { readRecentSamples, type RecentSamples } from "#services/api/features/ops/history.ts";
import type { PartState } from "#services/api/features/ops/part-state.ts";
import * as problems from "#services/api/features/ops/problems.ts";
import { readSchemaVersion } from "#services/api/features/ops/queries.ts";
import type { ConsumerLag } from "#services/api/features/ops/consumer-lag.ts";
import type { ProcessList } from "#services/api/features/ops/workers.ts";

/** Milliseconds that the metadata store and the log have to answer. */
const timeoutMs = 4_000;

/** What the summary is made from: the parts of the operations screen. */
export interface SummaryParts {
  engines(): Promise<{ items: EngineStatus[] }>;
  lag(): Promise<{ items: ConsumerLag[] }>;
  projection(): Promise<PartState & { lag: number | null }>;
  workers: { list(): Promise<ProcessList> };
  backups: { status(): Promise<BackupStatus> };
  deadLetters: { list(query: DeadLettersQuery): Promise<object> };
}

/** The overall state of the instance, from the same parts that the screen shows. */
export class Summary {
  readonly #recent: CachedProbe<RecentSamples[]>;
  readonly #schema: CachedProbe<number>;
  readonly #deadLetters: CachedProbe<boolean>;

  constructor(
    private readonly context: Pick<Context, "db" | "clock">,
    private readonly parts: SummaryParts,
  ) {
    const { db, clock } = context;
    const probe = <T>(read: () => Promise<T>) => new CachedProbe({ read, timeoutMs, clock });
    this.#recent = probe(() => readRecentSamples(db, stuckMinutes));
    this.#schema = probe(() => readSchemaVersion(db));
    this.#deadLetters = probe(async () => {
      const { items } = await parts.deadLetters.list({ size: 1 }) as { items: object[] };
      return items.length > 0;
    });
  }

  /** OpsSummary. */
  async read(): Promise<object> {
    const schema = await this.#schema.probe();
    const found = (await this.#problems()).toSorted((a, b) => a.level < b.level ? -1 : 1);
    const worst = found[0]?.level;
    return {
      state: worst ?? "OK",
      problems: found,
      release: version,
      schema_version: schema.known ? schema.value : null,
      runtime: `Deno ${process.versions.deno ?? "unknown"}`,
    };
  }

  async #problems(): Promise<problems.Problem[]> {
    const { parts, context } = this;
    const now = context.clock.now();
    const [engines, processes, lag, projection, backup, deadLetters, recent] = await Promise.all([
      parts.engines(),
      parts.workers.list(),
      parts.lag(),
      parts.projection(),
      parts.backups.status(),
      this.#deadLetterProblems(),
      this.#recent.probe(),
    ]);
    const samples = recent.known ? recent.value : [];
    return [
      ...problems.engineProblems(engines.items),
      ...problems.workerProblems(processes, now),
      ...problems.lagProblems(lag.items, new Map(samples.map((one) => [one.series, one]))),
      ...problems.projectionProblems(projection),
      ...deadLetters,
      ...problems.backupProblems(backup, now),
      ...problems.versionProblems(processes),
    ];
  }

  async #deadLetterProblems(): Promise<problems.Problem[]> {
    const seen = await this.#deadLetters.probe();
    if (seen.known && !seen.value) return [];
    return [{
      level: "WARNING",
      part: "DEAD_LETTERS",
      subject: "dead letters",
      message: seen.known ? "Records could not be processed" : `Unknown: ${seen.cause}`,
      action: seen.known ? "Fix the cause, then replay them" : null,
    }];
  }
}
