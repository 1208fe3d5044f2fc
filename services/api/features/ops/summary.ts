import type { z } from "@hono/zod-openapi";
import process from "node:process";
import type { Context } from "#platform/context.ts";
import { CachedProbe } from "#platform/ops/cached-probe.ts";
import type { EngineStatus } from "#platform/ops/engines.ts";
import { version } from "#platform/version.ts";
import { doneSeries } from "#platform/ops/history.ts";
import type {
  BackupStatus,
  ConsumerLag,
  ProcessList,
  ShownProcess,
} from "#services/api/features/ops/parts.ts";
import { farBehind, notReadyMs, stuckMinutes } from "#services/api/features/ops/limits.ts";
import type { DeadLettersQuery } from "#services/api/features/ops/dead-letters.ts";
import { type RecentSamples, recentSamples } from "#services/api/features/ops/history.ts";
import type { OpsProblem, OpsProjection } from "#services/api/features/ops/schemas.ts";
import { schemaVersion } from "#services/api/features/ops/verification.ts";

/** Milliseconds that the metadata store and the log have to answer. */
const timeoutMs = 4_000;

type Projection = z.output<typeof OpsProjection>;

/** What the summary is made from: the parts of the operations screen. */
interface SummaryParts {
  engines(): Promise<{ items: EngineStatus[] }>;
  lag(): Promise<{ items: ConsumerLag[] }>;
  projection(): Promise<Projection>;
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
    this.#recent = probe(() => db.query(recentSamples, [stuckMinutes]));
    this.#schema = probe(async () => (await db.query(schemaVersion))[0]!.version);
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

  async #problems(): Promise<Problem[]> {
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
      ...engineProblems(engines.items),
      ...workerProblems(processes, now),
      ...lagProblems(lag.items, new Map(samples.map((one) => [one.series, one]))),
      ...projectionProblems(projection),
      ...deadLetters,
      ...backupProblems(backup, now),
      ...versionProblems(processes),
    ];
  }

  async #deadLetterProblems(): Promise<Problem[]> {
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

export type Problem = z.output<typeof OpsProblem>;

/** Engines without which nothing is answered, or nothing accepted. */
const essential: ReadonlySet<string> = new Set(["metadata", "event-log"]);

export function engineProblems(engines: EngineStatus[]): Problem[] {
  return engines.filter(({ state }) => state !== "up").map(({ port, engine, state, cause }) => ({
    level: essential.has(port) ? "ERROR" : "WARNING",
    part: "ENGINES",
    subject: `${port} (${engine})`,
    message: `${state === "down" ? "Down" : "Does not answer"}${cause ? `: ${cause}` : ""}`,
    action: "Bring the engine back; everything else goes on by itself",
  }));
}

/** States in which a receiver of notifications fails, rather than the worker. */
const ofReceivers: ReadonlySet<string> = new Set(["paused", "retrying"]);

export function workerProblems({ state, cause, items }: ProcessList, now: number): Problem[] {
  const unknown: Problem[] = state === "known" ? [] : [{
    level: "WARNING",
    part: "WORKERS",
    subject: "other processes",
    message: `Unknown${cause ? `: ${cause}` : ""}`,
    action: null,
  }];
  return [...unknown, ...items.flatMap((process) => problemsOfProcess(process, now))];
}

function problemsOfProcess({ id, state, cause, workers }: ShownProcess, now: number): Problem[] {
  const common = { part: "WORKERS" as const };
  if (state === "unknown") {
    const message = cause ?? "No report";
    return [{ ...common, level: "WARNING", subject: id, message, action: "See its log" }];
  }
  return workers.filter((worker) =>
    worker.state === "backup_failed" || worker.state === "given_up" ||
    !worker.ready && now - Date.parse(worker.since) >= notReadyMs
  ).map((worker) => ({
    ...common,
    level: worker.ready || ofReceivers.has(worker.state) ? "WARNING" : "ERROR",
    subject: `${worker.name} (${id})`,
    message: worker.cause ?? worker.meaning ?? worker.state,
    action: worker.action,
  }));
}

/** `recent`: the samples of the last `stuckMinutes`, by series; empty when they are unknown. */
export function lagProblems(
  consumers: ConsumerLag[],
  recent: Map<string, RecentSamples>,
): Problem[] {
  return consumers.flatMap((consumer): Problem[] => {
    const { group, topic, state, cause, lag } = consumer;
    const common = { part: "LAG" as const, subject: `${group} of ${topic}` };
    if (state === "unknown" || lag == null) {
      const message = `Unknown${cause ? `: ${cause}` : ""}`;
      return [{ ...common, level: "WARNING", message, action: null }];
    }
    const action = "Look at its worker; if it is only slow, start another process of its service";
    if (lag >= farBehind) {
      return [{ ...common, level: "ERROR", message: `${lag} records behind`, action }];
    }
    const done = recent.get(doneSeries(consumer));
    // One sample fewer than minutes: the first lies before the period.
    const isStuck = lag > 0 && done !== undefined && done.count >= stuckMinutes - 1 &&
      done.least === done.most;
    const message = `${lag} records behind, none processed for ${stuckMinutes} minutes`;
    return isStuck ? [{ ...common, level: "ERROR", message, action }] : [];
  });
}

function projectionProblems({ state, cause, lag }: Projection): Problem[] {
  const common = { part: "PROJECTION" as const, subject: "lineage graph" };
  if (state === "unknown") {
    return [{ ...common, level: "WARNING", message: `Unknown: ${cause}`, action: null }];
  }
  if ((lag ?? 0) < farBehind) return [];
  const action = "See the worker graph projector; npm run graph -- verify compares it";
  return [{ ...common, level: "ERROR", message: `${lag} changes behind the metadata`, action }];
}

/** `newest`: null when there is no backup; older than two intervals is a problem. */
export function backupProblems(
  { scheduled, directory, every_seconds, newest_at, state, cause }: BackupStatus,
  now: number,
): Problem[] {
  if (!scheduled) return [];
  const common = { part: "BACKUP" as const, subject: directory ?? "", level: "WARNING" as const };
  const action = "See the worker backup; npm run backup -- <directory> writes one at once";
  if (state === "unknown") return [{ ...common, message: `Unknown: ${cause}`, action }];
  if (!newest_at) return [{ ...common, message: "There is no backup", action }];
  const age = now - Date.parse(newest_at);
  if (age < 2_000 * every_seconds!) return [];
  const hours = Math.floor(age / 3_600_000);
  return [{ ...common, message: `The newest backup is ${hours} hours old`, action }];
}

/** Releases that run next to each other, as they do during an upgrade. */
export function versionProblems({ items }: ProcessList): Problem[] {
  const versions = [...new Set(items.map(({ version }) => version))].sort();
  if (versions.length < 2) return [];
  return [{
    level: "WARNING",
    part: "VERSIONS",
    subject: versions.join(", "),
    message: "Processes run different releases",
    action: "Expected during an upgrade; afterwards restart those of the older release",
  }];
}
