import type { z } from "@hono/zod-openapi";
import type { Lag } from "#eventlog/port.ts";
import { newestBackup } from "#platform/backup/directory.ts";
import type { Context } from "#platform/context.ts";
import { CachedProbe, type ProbeResult } from "#platform/ops/cached-probe.ts";
import type { GroupOfTopic } from "#platform/ops/lag.ts";
import { meaningOf } from "#platform/ops/states.ts";
import {
  knownProcesses,
  type OwnProcess,
  type ProcessRow,
  projectorName,
  type WorkerStatus,
} from "#platform/ops/workers.ts";
import type {
  OpsBackup,
  OpsConsumerLag,
  OpsProcess,
  OpsProcessList,
  OpsWorker,
} from "#services/api/features/ops/schemas.ts";

/** OpsPartState, and why it is unknown. */
type PartState = Pick<ProcessList, "state" | "cause">;

/** Whether a part is known. */
export function partState(seen: ProbeResult<unknown>): PartState {
  return seen.known ? { state: "known", cause: null } : { state: "unknown", cause: seen.cause };
}

type WorkersDeps = Pick<Context, "db" | "clock" | "config" | "own">;

export type ProcessList = z.output<typeof OpsProcessList>;
export type ShownProcess = z.output<typeof OpsProcess>;
type ShownWorker = z.output<typeof OpsWorker>;
export type BackupStatus = z.output<typeof OpsBackup>;
export type ConsumerLag = z.output<typeof OpsConsumerLag>;

/** Milliseconds that the metadata store has to answer. */
const storeTimeoutMs = 2_000;

/** Lists the workers of this process, and those that other processes reported. */
export class Workers {
  readonly #others: CachedProbe<ProcessRow[]>;

  constructor(private readonly deps: WorkersDeps) {
    const { db, clock } = deps;
    this.#others = new CachedProbe({
      read: () => knownProcesses(db),
      timeoutMs: storeTimeoutMs,
      clock,
    });
  }

  /** OpsProcessList. This process is listed even when the metadata store is unreachable. */
  async list(): Promise<ProcessList> {
    const seen = await this.#others.probe();
    const { own, config, clock } = this.deps;
    const others = this.#except(own, seen);
    const self = own ? [ownShown(own, clock.now())] : [];
    return {
      instance: config.instance,
      ...partState(seen),
      items: [...self, ...others.map(otherShown)],
    };
  }

  /** OpsWorker of the projector that leads, or else of any; null where none is known. */
  async projector(): Promise<ShownWorker | null> {
    const seen = await this.#others.probe();
    const { own } = this.deps;
    const all = [
      ...own?.workers() ?? [],
      ...this.#except(own, seen).filter(isHeard).flatMap(({ workers }) => workers),
    ].filter(({ name }) => name === projectorName);
    const found = all.find(({ state }) => state !== "standby") ?? all[0];
    return found ? workerShown(found) : null;
  }

  #except(own: OwnProcess | undefined, seen: ProbeResult<ProcessRow[]>): ProcessRow[] {
    return seen.known ? seen.value.filter(({ holder }) => holder !== own?.holder) : [];
  }
}

/** Seconds without a word after which nobody knows how a process stands. */
const silentSeconds = 15;

const isHeard = ({ silent }: ProcessRow) => silent <= silentSeconds;

function ownShown(own: OwnProcess, now: number): ShownProcess {
  return {
    id: own.holder,
    own: true,
    state: "up",
    cause: null,
    services: own.services,
    version: own.version,
    started_at: own.startedAt,
    seen_at: new Date(now).toISOString(),
    workers: own.workers().map(workerShown),
  };
}

function otherShown(row: ProcessRow): ShownProcess {
  const { holder: id, services, version, started_at, seen_at, workers } = row;
  const cause = isHeard(row) ? null : `no report for ${Math.round(row.silent)} s`;
  return {
    id,
    own: false,
    state: cause === null ? "up" : "unknown",
    cause,
    services,
    version,
    started_at,
    seen_at,
    workers: workers.map(workerShown),
  };
}

function workerShown({ name, ready, state, since, cause }: WorkerStatus): ShownWorker {
  const { meaning = null, action = null, takes = null } = meaningOf(state) ?? {};
  return { name, ready, state, since, cause, meaning, action, takes };
}

/** Milliseconds that the directory of backups has to answer. */
const directoryTimeoutMs = 4_000;

/** The scheduled backups, as this process sees their directory. */
export class Backups {
  readonly #probe: CachedProbe<number | null>;

  constructor(private readonly context: Pick<Context, "config" | "clock">) {
    const { config: { backup: { directory, retain }, instance }, clock } = context;
    const read = () =>
      directory ? newestBackup({ directory, retain, instance }) : Promise.resolve(null);
    this.#probe = new CachedProbe({ read, timeoutMs: directoryTimeoutMs, clock });
  }

  async status(): Promise<BackupStatus> {
    const { directory, every } = this.context.config.backup;
    const seen = await this.#probe.probe();
    const newest = seen.known ? seen.value : null;
    return {
      ...partState(seen),
      scheduled: Boolean(directory),
      directory: directory || null,
      every_seconds: directory ? Math.round(every / 1_000) : null,
      newest_at: newest === null ? null : new Date(newest).toISOString(),
    };
  }
}

/** A consumer's lag as the screen shows it; null where it is not known. */
export function lagShown({ group, topic }: GroupOfTopic, seen: ProbeResult<Lag[]>): ConsumerLag {
  const common = { group, topic, ...partState(seen) };
  if (!seen.known) return { ...common, lag: null, partitions: [] };
  const partitions = seen.value.map(({ partition, committed, end, lag }) => ({
    partition,
    committed,
    end,
    lag,
  }));
  const lag = partitions.reduce((sum, each) => sum + each.lag, 0);
  return { ...common, lag, partitions };
}
