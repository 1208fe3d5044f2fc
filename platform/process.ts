import type { Hono } from "hono";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { exhausted, Supervisor } from "#kit/supervisor.ts";
import type { Health } from "#kit/worker.ts";
import { ensureTopics, type OpenContext, openContext } from "#platform/compose.ts";
import { baseUrlOf } from "#platform/config/base-url.ts";
import { exposureOf, plainSecrets } from "#platform/config/exposure.ts";
import { ConfigError } from "#platform/config/load.ts";
import type { Config } from "#platform/config/schema.ts";
import { compareWithLog, followLog, followPositions } from "#platform/ops/failover/log.ts";
import { ProcessFigures, reportFigures } from "#platform/ops/history.ts";
import {
  measureUnusedSlot,
  type UnusedSlot,
  unusedSlotIfKnown,
  warnOfUnusedSlot,
} from "#platform/ops/slot.ts";
import { type OwnProcess, reportProcess, WorkerWatch } from "#platform/ops/workers.ts";
import { createApp } from "#platform/http/app.ts";
import { clientAddressBy } from "#platform/http/request-headers.ts";
import type { AppEnv } from "#platform/http/requests.ts";
import { type HttpListener, isPortTaken, listen } from "#platform/http/runtime.ts";
import type { RunningService, Service } from "#platform/service.ts";
import { tracedEventLog } from "#platform/telemetry/event-log.ts";
import { traceOnDemand } from "#platform/telemetry/traces.ts";
import {
  type MetricsRegistry,
  observeProcess,
  observeWorkers,
} from "#platform/telemetry/metrics.ts";
import { version } from "#platform/version.ts";
import type { Context } from "#platform/context.ts";

interface ProcessOptions {
  config: Config;
  log: Logger;
  metrics: MetricsRegistry;
  services: Service[];
  /** Name of this kind of process, such as `api`, which its spans carry; unset when it runs all services. */
  name?: string;
  /**
   * Called when an engine of this process, or a worker of a named process, cannot be kept alive; should end
   * the process. Where all services run, a worker does not end the process: `/health/ready` reports it.
   */
  giveUp: (what: string, error: unknown) => void;
  /** Called once it listens, while its workers start: from then on it answers requests, and can be stopped in order. */
  onListening?: (running: RunningProcess) => void;
  /** Consecutive failures of a worker before its retries are exhausted; default: that of the supervisor. */
  maxFailures?: number;
  /** Folder of the schema; default: the schema of this release. */
  schema?: URL;
}

export interface RunningProcess {
  url: string;
  opened: OpenContext;
  /** Stops in order: refuses work, answers waiters, finishes accepted work, closes engines. Idempotent. */
  stop(): Promise<void>;
}

/** Name of the API's listener in health, logs and metrics. */
const apiListener = "HTTP listener";

/** Milliseconds in which running requests may end. */
const requestGraceMs = 5_000;

/** Starts the given services in this process, with one shared context and one HTTP address. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { config, log, metrics } = options;
  const exposure = exposureOf(config, options.services.map(({ name }) => name));
  if (exposure.refused.length > 0) throw new ConfigError(exposure.refused);
  for (const text of exposure.warned) log.warn(text);
  reportPlainSecrets(config, log);
  const opened = await openContext({
    config,
    log,
    metrics,
    embedded: "start",
    schema: options.schema,
    onEngineExit: (detail) => options.giveUp("embedded PostgreSQL", new Error(detail)),
  });
  try {
    return await runServices(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function reportPlainSecrets(config: Config, log: Logger): void {
  const { warned, accepted } = plainSecrets(config);
  for (const secret of warned) log.warn("secret is sent unencrypted", { ...secret });
  if (accepted.length === 0) return;
  const secrets = accepted.map(({ key, host }) => `${key} to ${host}`);
  log.info("secrets are sent unencrypted to server.private-hosts", { secrets });
}

async function runServices(options: ProcessOptions, opened: OpenContext): Promise<RunningProcess> {
  const { context } = opened;
  await ensureTopics(context);
  await compareWithLog(context);
  await warnOfUnusedSlot(context);
  const address: { listening?: HttpListener } = {};
  const baseUrl = () => baseUrlOf(context.config, address.listening?.url);
  const watch = new WorkerWatch(context.clock);
  const own = ownProcess(options, opened, watch, () => address.listening?.url);
  const services = options.services.map((service) => {
    const events = tracedEventLog(context.events, service.name, context.config);
    return service.create({ ...context, events, baseUrl, own });
  });
  const untrace = traceOnDemand(context, options.name);
  const giveUp = options.name === undefined ? onlyLog(context.log) : options.giveUp;
  const supervisor = new Supervisor(services.flatMap((s) => s.workers), { ...options, giveUp });
  const figures = new ProcessFigures();
  const app = createApp({
    ...context,
    figures,
    routes: services.flatMap((s) => s.routes),
    pages: services.flatMap((s) => s.pages ?? []),
    fallback: services.find((s) => s.fallback)?.fallback,
    access: services.find((s) => s.access)?.access,
  });
  const health = () => ({
    ...(address.listening ? { [apiListener]: address.listening.health() } : {}),
    ...supervisor.health(),
  });
  watch.observe(health);
  operate(app, options, opened, health);
  const listening = address.listening = serveHere(app, options);
  const reports: (() => Promise<void>)[] = [];
  const leave = async () => void await Promise.all(reports.map((stop) => stop()));
  let stopped: Promise<void> | undefined;
  const parts = { ...opened, untrace, leave };
  const stop = () => stopped ??= stopInOrder(services, listening, supervisor, parts, options.log);
  const running = { url: listening.url, opened, stop };
  options.onListening?.(running);
  await supervisor.start().catch(async (error) => {
    if (stopped) return;
    await listening.stop(0);
    await supervisor.stop();
    throw error;
  });
  if (!stopped) {
    reports.push(reportFigures(context, figures), reportProcess(context, own));
    reports.push(followPositions(context), followLog(context));
  }
  return running;
}

function ownProcess(
  { services }: ProcessOptions,
  { context }: OpenContext,
  watch: WorkerWatch,
  url: () => string | undefined,
): OwnProcess {
  return {
    holder: context.leases.holder,
    services: services.map(({ name }) => name),
    version,
    startedAt: new Date(context.clock.now()).toISOString(),
    workers: () => watch.statuses(),
    url,
  };
}

/** Only logs a worker that has exhausted its retries: the other services continue, and it is restarted occasionally. */
function onlyLog(log: Logger): ProcessOptions["giveUp"] {
  return (worker, error) => log.error("worker has exhausted its retries", { worker, error });
}

/** Listens; throws an error with advice when another process uses the port. */
function serveHere(app: Hono<AppEnv>, { config, log, metrics }: ProcessOptions): HttpListener {
  const address = config.server;
  try {
    const listenerOptions = { name: apiListener, log, metrics };
    const clientOf = clientAddressBy(address["trusted-proxies"]);
    return listen(
      (request, peer) => app.fetch(request, { client: clientOf(request.headers, peer) }),
      address,
      listenerOptions,
    );
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const { host, port } = address;
    const taken = `Port ${port} of ${host} is taken: free it, or set server.port (SERVER_PORT)`;
    throw new Error(taken, { cause: error });
  }
}

/** Adds health and metrics, which are not part of the published interface. */
function operate(
  app: Hono<AppEnv>,
  { metrics }: ProcessOptions,
  { context }: OpenContext,
  health: () => Record<string, Health>,
): void {
  app.get("/health/live", (c) => c.json({ live: true }));
  app.get("/health/ready", async (c) => {
    const state = await readiness(context, health());
    return c.json(state, state.ready ? 200 : 503);
  });
  app.get("/metrics", async () => {
    observeProcess(metrics, context.db);
    observeWorkers(metrics, health());
    await measureUnusedSlot(context, metrics);
    const { content, contentType } = await metrics.exposition();
    return new Response(content, { headers: { "content-type": contentType } });
  });
}

async function stopInOrder(
  services: RunningService[],
  listening: HttpListener,
  supervisor: Supervisor,
  opened: OpenContext & { untrace: () => Promise<void>; leave: () => Promise<void> },
  log: Logger,
): Promise<void> {
  log.info("stopping");
  const steps: [string, () => Promise<unknown>][] = [
    ["drain", () => Promise.all(services.map((s) => s.drain?.()))],
    ["http", () => listening.stop(requestGraceMs)],
    ["workers", () => supervisor.stop()],
    ["traces", () => opened.untrace()],
    ["list of processes", () => opened.leave()],
    ["engines", () => opened.close()],
  ];
  for (const [step, run] of steps) {
    await run().catch((error) => log.error("stop step failed", { step, error: messageOf(error) }));
  }
  log.info("stopped");
}

interface EngineHealth {
  engine: string;
  ready: boolean;
  /** Absent unless it is refused: `commits_missing`, `comparing`, `in_recovery`; of the event log `records_missing`. */
  state?: string;
  detail?: string;
}

interface Readiness {
  ready: boolean;
  /** True when a dependency is down that this process can do without for a while. */
  degraded: boolean;
  engines: Record<string, EngineHealth>;
  workers: Record<string, Health>;
  /** Workers that crashed too often in a row; `workers` has the cause of each. */
  given_up: string[];
  /** Absent unless notifications are off and left a replication slot. */
  unused_slot?: UnusedSlot;
}

const pingMs = 1_500;

/**
 * Whether this process can work: not without the metadata or the event log, nor while a worker has exhausted its retries.
 * Without the graph or the cache it is degraded: reads answer, and ingestion answers `stored`.
 */
async function readiness(
  context: Context,
  workers: Record<string, Health>,
): Promise<Readiness> {
  const checks: [port: string, engine: string, ping: () => Promise<void>][] = [
    ["metadata", "postgres", () => context.db.ping(pingMs)],
    ["event-log", context.events.engine, () => context.events.ping(pingMs)],
    ["graph", context.graph.engine, () => context.graph.ping(pingMs)],
    ["cache", context.cache.engine, () => context.cache.ping(pingMs)],
  ];
  const unused = unusedSlotIfKnown(context);
  const engines = Object.fromEntries(
    await Promise.all(
      checks.map(async ([port, engine, ping]) => [port, await probe(engine, ping)]),
    ),
  ) as Record<string, EngineHealth>;
  const refusal = context.db.guard?.refusal;
  if (refusal && engines.metadata) engines.metadata.state = refusal.state;
  const log = engines["event-log"];
  const missing = context.events.refusal?.();
  if (log && missing !== undefined) {
    [log.ready, log.detail] = [false, missing];
    log.state = "records_missing";
  }
  const required = engines.metadata?.ready && engines["event-log"]?.ready;
  const all = Object.values(engines).every((e) => e.ready) &&
    Object.values(workers).every((w) => w.ready);
  const lost = Object.entries(workers).filter(([, { state }]) => state === exhausted);
  const ready = Boolean(required) && lost.length === 0;
  const unused_slot = await unused;
  return {
    ready,
    degraded: !all,
    engines,
    workers,
    given_up: lost.map(([name]) => name),
    ...(unused_slot ? { unused_slot } : {}),
  };
}

async function probe(engine: string, ping: () => Promise<void>): Promise<EngineHealth> {
  try {
    await ping();
    return { engine, ready: true };
  } catch (error) {
    return { engine, ready: false, detail: messageOf(error) };
  }
}
