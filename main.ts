import process from "node:process";
import { parseArgs } from "node:util";
import { loadConfig } from "#platform/config/load.ts";
import { type RunningProcess, startProcess } from "#platform/process.ts";
import type { Service } from "#platform/service.ts";
import { logFormat, reportFailure, reportReady, UsageError } from "#platform/startup.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { startTraces } from "#platform/telemetry/traces.ts";

type Load = () => Promise<Service>;

const housekeeping: Load = async () =>
  (await import("#services/housekeeping/service.ts")).housekeepingService;
const chat: Load = async () => (await import("#services/chat/service.ts")).chatService;

/**
 * What each kind of process runs. Housekeeping runs where the API does, because files and backups may lie on its disk.
 * A service is imported only where it runs, so that processes stay small and start fast.
 */
const processes: Record<string, Load[]> = {
  "api": [
    async () => (await import("#services/api/service.ts")).apiService,
    housekeeping,
    chat,
  ],
  "ingest-consumer": [
    async () => (await import("#services/ingest-consumer/service.ts")).ingestConsumerService,
  ],
  "trace-gateway": [
    async () => (await import("#services/trace-gateway/service.ts")).traceGatewayService,
  ],
  "notifier": [async () => (await import("#services/notifier/service.ts")).notifierService],
  "openlineage": [
    async () => (await import("#services/openlineage/service.ts")).openLineageService,
  ],
  "datahub": [async () => (await import("#services/datahub/service.ts")).datahubService],
  "collector": [async () => (await import("#services/collector/service.ts")).collectorService],
};

/** Milliseconds in which a stop must complete; an orchestrator kills the process after 30 s. */
const stopWithinMs = 25_000;

/** The process that `--service` names, and what it runs. */
async function chosenProcess(): Promise<{ name?: string; services: Service[] }> {
  const { values } = parseArgs({ options: { service: { type: "string", default: "all" } } });
  const chosen = Object.entries(processes)
    .filter(([name]) => values.service === "all" || name === values.service)
    .flatMap(([, loads]) => loads);
  if (chosen.length > 0) {
    const name = values.service === "all" ? undefined : values.service;
    return { name, services: await Promise.all(chosen.map((load) => load())) };
  }
  const names = ["all", ...Object.keys(processes)].join(", ");
  throw new UsageError(`--service ${values.service}: there are ${names}`);
}

const level = process.env.LOG_LEVEL === "debug" ? "debug" : "info";
const format = logFormat(process.env, process.stdout.isTTY === true);
const print = (line: string) => console.error(line);

async function main(): Promise<void> {
  const { name, services } = await chosenProcess();
  const log = createLogger({ level, format, write: (line) => console.log(line) });
  const end = (code: number) => process.exit(code);
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) {
    // The runtime would print the error itself, without masking secrets.
    process.on(kind, (error: unknown) => {
      log.error("ended by an unhandled error", { error });
      end(1);
    });
  }
  const flush = await startTraces(name, process.env);
  const started: StartResult = {};
  endOnSignals(started, flush);
  const running = await startProcess({
    config: loadConfig({ env: process.env, warn: (text) => log.warn(text) }),
    log,
    metrics: createMetrics(),
    services,
    name,
    onListening: (running) => started.process = running,
    giveUp: (what, error) => {
      log.error("fatal error", { what, error });
      end(1);
    },
  });
  if (!started.stopping) {
    reportReady(
      { format, log, print },
      running.url,
      services.map(({ name }) => name),
    );
  }
}

interface StartResult {
  /** Set once it listens. */
  process?: RunningProcess;
  stopping?: boolean;
}

/**
 * Stops in order on a signal. Call it before anything listens: the runtime opens files for this, and aborts
 * when no file descriptor is left.
 */
function endOnSignals(started: StartResult, flush: () => Promise<void>): void {
  const stop = async () => {
    if (!started.process) process.exit(1);
    if (started.stopping) return;
    started.stopping = true;
    setTimeout(() => process.exit(1), stopWithinMs);
    await started.process.stop();
    await flush();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
}

main().catch((error) => {
  // To standard error, as at a terminal.
  const log = createLogger({ level, format, write: print });
  process.exit(reportFailure({ format, log, print }, error));
});
