import type { Logger } from "#kit/log.ts";
import { failureText } from "#platform/secrets.ts";
import type { LogOptions } from "#platform/telemetry/log.ts";

/** JSON where `LOG_FORMAT` says so, and wherever nobody reads along at a terminal. */
export function logFormat(
  env: Record<string, string | undefined>,
  isTerminal: boolean,
): LogOptions["format"] {
  return env.LOG_FORMAT === "json" || !isTerminal ? "json" : "text";
}

interface StartupReport {
  format: LogOptions["format"];
  log: Logger;
  /** Writes a line for a person at a terminal. */
  print: (line: string) => void;
}

/** Reports that the services answer: one log line, or at a terminal where to look. */
export function reportReady(
  { format, log, print }: StartupReport,
  url: string,
  services: string[],
): void {
  if (format === "json") return log.info("ready", { url, services });
  const lines = services.includes("api")
    ? [
      `Tributary is ready at ${url}`,
      `  web interface  ${url}/`,
      `  API explorer   ${url}/api/explorer`,
      `  API document   ${url}/api/v3/api-docs`,
      `  health         ${url}/health/ready`,
      "Load a catalogue to look at: npm run demo",
    ]
    : [`Tributary ${services.join(", ")}: health at ${url}/health/ready`];
  lines.forEach(print);
}

/** A command line or a configuration that the operator has to correct: exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Reports why the process cannot start: one log line, or text at a terminal. Returns the exit code. */
export function reportFailure({ format, log, print }: StartupReport, error: unknown): number {
  if (format === "json") log.error("cannot start", { reason: failureText(error) });
  else print(failureText(error));
  return error instanceof Error && ["ConfigError", "UsageError"].includes(error.name) ? 2 : 1;
}
