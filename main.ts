import process from "node:process";
import { parseArgs } from "node:util";
import { loadConfig } from "#platform/config/load.ts";
import { type RunningProcess, startProcess } from "#platform/process.ts";
import { failureText } from "#platform/secrets.ts";
import type { Service } from "#platform/service.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { startTraces } from "#platform/telemetry/traces.ts";
import { apiService } from "#services/api/service.ts";
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
];

/** Milliseconds in which a stop must complete; an orchestrator kills the process after 30 s. */
const stopWithinMs = 25_000;

function chosenServices(): Service[] {
  const { values } = parseArgs({ options: { service: { type: "string", default: "all" } } });
  const chosen = services.filter((s) => values.service === "all" || s.name === values.service);
  if (chosen.length > 0) return chosen;
  const names = ["all", ...services.map((s) => s.name)].join(", ");
  console.error(`--service ${values.service}: there are ${names}`);
  process.exit(2);
}

async function main(): Promise<void> {
  const chosen = chosenServices();
  const terminal = process.stdout.isTTY === true;
  const log = createLogger({
    level: process.env.LOG_LEVEL === "debug" ? "debug" : "info",
    format: process.env.LOG_FORMAT === "json" || !terminal ? "json" : "text",
    write: (line) => console.log(line),
  });
  const flush = startTraces(chosen.length === 1 ? chosen[0]!.name : undefined, process.env);
  const end = (code: number) => process.exit(code);
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) {
    // The runtime would print the error itself, without masking secrets.
    process.on(kind, (error: unknown) => {
      log.error("ended by an error that nobody handled", { error });
      end(1);
    });
  }
  const started: Started = {};
  endOnSignals(started, flush);
  const running = started.process = await startProcess({
    config: loadConfig({ env: process.env, warn: (text) => log.warn(text) }),
    log,
    metrics: createMetrics(),
    services: chosen,
    giveUp: (what, error) => {
      log.error("cannot go on", { what, error });
      end(1);
    },
  });
  announce(running.url, chosen);
}

interface Started {
  process?: RunningProcess;
}

/**
 * Stops in order on a signal. Call it before anything listens: the runtime opens files for this, and aborts
 * when no file descriptor is left.
 */
function endOnSignals(started: Started, flush: () => Promise<void>): void {
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

function announce(url: string, chosen: Service[]): void {
  const lines = chosen.includes(apiService)
    ? [
      `Tributary is ready at ${url}`,
      `  web interface  ${url}/`,
      `  API explorer   ${url}/api/explorer`,
      `  API document   ${url}/api/v3/api-docs`,
      `  health         ${url}/health/ready`,
      "Load a catalogue to look at: npm run demo",
    ]
    : [`Tributary ${chosen.map((s) => s.name).join(", ")}: health at ${url}/health/ready`];
  for (const line of lines) console.error(line);
}

main().catch((error) => {
  console.error(failureText(error));
  process.exit(error?.name === "ConfigError" ? 2 : 1);
});
