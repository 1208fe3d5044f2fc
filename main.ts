import process from "node:process";
import { parseArgs } from "node:util";
import { loadConfig } from "#platform/config/load.ts";
import { type RunningProcess, startProcess } from "#platform/process.ts";
import type { Service } from "#platform/service.ts";
import { logFormat, reportFailure, reportReady, UsageError } from "#platform/startup.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { startTraces } from "#platform/telemetry/traces.ts";
import { apiService } from "#services/api/service.ts";
import { collectorService } from "#services/collector/service.ts";
import { datahubService } from "#services/datahub/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";

const services: Service[] = [
  apiService,
  ingestConsumerService,
  traceGatewayService,
  notifierService,
  openLineageService,
  datahubService,
  collectorService,
];

/** Milliseconds in which a stop must complete; an orchestrator kills the process after 30 s. */
const stopWithinMs = 25_000;

function chosenServices(): Service[] {
  const { values } = parseArgs({ options: { service: { type: "string", default: "all" } } });
  const chosen = services.filter((s) => values.service === "all" || s.name === values.service);
  if (chosen.length > 0) return chosen;
  const names = ["all", ...services.map((s) => s.name)].join(", ");
  throw new UsageError(`--service ${values.service}: there are ${names}`);
}

const level = process.env.LOG_LEVEL === "debug" ? "debug" : "info";
const format = logFormat(process.env, process.stdout.isTTY === true);
const print = (line: string) => console.error(line);

async function main(): Promise<void> {
  const chosen = chosenServices();
  const log = createLogger({ level, format, write: (line) => console.log(line) });
  const end = (code: number) => process.exit(code);
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) {
    // The runtime would print the error itself, without masking secrets.
    process.on(kind, (error: unknown) => {
      log.error("ended by an unhandled error", { error });
      end(1);
    });
  }
  const flush = await startTraces(chosen.length === 1 ? chosen[0]!.name : undefined, process.env);
  const started: StartResult = {};
  endOnSignals(started, flush);
  const running = started.process = await startProcess({
    config: loadConfig({ env: process.env, warn: (text) => log.warn(text) }),
    log,
    metrics: createMetrics(),
    services: chosen,
    giveUp: (what, error) => {
      log.error("fatal error", { what, error });
      end(1);
    },
  });
  reportReady({ format, log, print }, running.url, chosen.map(({ name }) => name));
}

interface StartResult {
  process?: RunningProcess;
}

/**
 * Stops in order on a signal. Call it before anything listens: the runtime opens files for this, and aborts
 * when no file descriptor is left.
 */
function endOnSignals(started: StartResult, flush: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (!started.process) process.exit(1);
    if (stopping) return;
    stopping = true;
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
