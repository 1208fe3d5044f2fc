import type { z } from "@hono/zod-openapi";
import { isProjected } from "#graph/port.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { recordAudit } from "#metadata/catalogue/audit.ts";
import { slowMs } from "#metadata/postgres/slow-statements.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { engineGlances, type EngineStatus } from "#platform/ops/engines.ts";
import { CachedProbe } from "#platform/ops/cached-probe.ts";
import { groups, lagOf } from "#platform/ops/lag.ts";
import { slotFacts } from "#platform/ops/slot.ts";
import {
  bundleArchive,
  engineSections,
  ownSections,
  readSections,
} from "#platform/support-bundle.ts";
import { Backups, lagShown, partState, Workers } from "#services/api/features/ops/parts.ts";
import { DeadLetterService } from "#services/api/features/ops/dead-letters.ts";
import {
  OpsHistory,
  type SlowStatementRow,
  slowStatements,
} from "#services/api/features/ops/history.ts";
import {
  readProjection,
  Verification,
  verificationShown,
} from "#services/api/features/ops/verification.ts";
import type { OpsConsumerLagList, OpsProjection } from "#services/api/features/ops/schemas.ts";
import { Summary } from "#services/api/features/ops/summary.ts";
import { maxSlowStatements } from "#services/api/features/ops/limits.ts";

/** Timeout for reads of the metadata store or the graph, in milliseconds; reads of the log take longer. */
const timeoutMs = 2_000;
const lagTimeoutMs = 4_000;

/** An engine waits longer for its answer, so that it is we who say that there was none. */
const maxWaitMs = 10_000;

/**
 * What operators see of an instance, and what they do about it: the same functions as behind the commands. Each part is
 * looked at by itself, within its own time; what does not answer is unknown, and never 0.
 */
export class Ops {
  readonly deadLetters: DeadLetterService;
  readonly workers: Workers;
  readonly history: OpsHistory;
  readonly slowStatements: SlowStatementList;
  readonly backups: Backups;
  readonly summary: Summary;
  /** A support bundle of this process and the engines; one is made at a time. */
  readonly bundle: (actor: Caller) => Promise<Uint8Array>;
  readonly #verification: Verification;
  readonly #engines;
  readonly #lags;
  readonly #slot;
  readonly #metadata;
  readonly #position;

  constructor(private readonly context: Context) {
    const { db, graph, clock, events } = context;
    this.deadLetters = new DeadLetterService(context);
    this.workers = new Workers(context);
    this.history = new OpsHistory(context);
    this.slowStatements = new SlowStatementList(context);
    this.backups = new Backups(context);
    this.summary = new Summary(context, this);
    this.bundle = bundleDownload(context);
    this.#verification = new Verification(context);
    this.#engines = engineGlances(context);
    this.#lags = groups.map((group) => {
      const ask = () => lagOf(events, [group]);
      return { group, probe: new CachedProbe({ read: ask, timeoutMs: lagTimeoutMs, clock }) };
    });
    this.#slot = new CachedProbe({ read: () => slotFacts(context), timeoutMs, clock });
    this.#metadata = new CachedProbe({ read: () => readProjection(db), timeoutMs, clock });
    this.#position = new CachedProbe({ read: () => graph.position(maxWaitMs), timeoutMs, clock });
  }

  /** OpsEngineList. */
  async engines(): Promise<{ items: EngineStatus[] }> {
    return { items: await this.#engines() };
  }

  async lag(): Promise<z.output<typeof OpsConsumerLagList>> {
    const items = await Promise.all(
      this.#lags.map(async ({ group, probe }) => lagShown(group, await probe.probe())),
    );
    const lag = items.reduce(
      (sum: number | null, { lag }) => sum === null || lag == null ? null : sum + lag,
      0,
    );
    return { lag, items };
  }

  /** OpsSlot. */
  async slot(): Promise<object> {
    const seen = await this.#slot.probe();
    const { enabled } = this.context.config.notifications;
    return { ...partState(seen), enabled, facts: seen.known ? seen.value : null };
  }

  async projection(): Promise<z.output<typeof OpsProjection>> {
    const { graph } = this.context;
    const projected = isProjected(graph);
    const [metadata, position, projector] = await Promise.all([
      this.#metadata.probe(),
      projected ? this.#position.probe() : null,
      projected ? this.workers.projector() : null,
    ]);
    const newest = metadata.known ? metadata.value.head : null;
    const at = position === null ? newest : position.known ? position.value : null;
    const causes = [metadata, position].flatMap((seen) => seen && !seen.known ? [seen.cause] : []);
    return {
      state: causes.length > 0 ? "unknown" : "known",
      cause: causes.length > 0 ? causes.join("; ") : null,
      engine: graph.engine,
      projection: projected ? "PROJECTED" : "INLINE",
      position: at,
      newest,
      lag: at === null || newest === null ? null : Math.max(0, newest - at),
      projector,
      verification: verificationShown(metadata.known ? metadata.value.verification : null),
    };
  }

  /** Begins a comparison of graph and metadata; OpsVerification. Throws 400 and 429 as `Verification.start`. */
  async verify(actor: Caller): Promise<object> {
    await this.#verification.start(actor);
    this.#metadata.forget();
    return verificationShown((await readProjection(this.context.db)).verification)!;
  }

  stop(): void {
    this.#verification.stop();
  }
}

/** Lines of each log file. */
const lines = 500;

/** Makes support bundles of this process and its engines, as `npm run support-bundle`, one at a time. */
function bundleDownload(context: Context): (actor: Caller) => Promise<Uint8Array> {
  const limiter = new ConcurrencyLimiter({
    concurrency: 1,
    maxWaiting: 0,
    waitMs: 0,
    refused: "Another support bundle is being made; try again in a minute",
    retryAfter: 60,
  });
  return (actor) => limiter.run(() => make(context, actor), callerKey(actor));
}

async function make(context: Context, actor: Caller): Promise<Uint8Array> {
  const { config, own } = context;
  await recordAudit(context, { type: "SUPPORT_BUNDLE_CREATED", actor, subject: "support bundle" });
  const url = own?.url();
  const options = { config, urls: url ? [reachable(url)] : [], logs: [config.data.dir], lines };
  const ownRead = await readSections(ownSections(options));
  const engines = await readSections(engineSections(context));
  return (await bundleArchive([ownRead, engines])).archive;
}

/** An address of this machine, where it listens on all. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

const slowStatementsTimeoutMs = 4_000;

/** What every process reported of its slow statements. */
class SlowStatementList {
  readonly #probe: CachedProbe<SlowStatementRow[]>;

  constructor({ db, clock }: Pick<Context, "db" | "clock">) {
    const read = () => db.query(slowStatements, [maxSlowStatements]);
    this.#probe = new CachedProbe({ read, timeoutMs: slowStatementsTimeoutMs, clock });
  }

  /** OpsSlowStatementList. */
  async list(): Promise<object> {
    const seen = await this.#probe.probe();
    return { ...partState(seen), threshold_ms: slowMs, items: seen.known ? seen.value : [] };
  }
}
