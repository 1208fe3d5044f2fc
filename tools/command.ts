import process from "node:process";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import type { Context } from "#platform/context.ts";
import { failureText } from "#platform/secrets.ts";

/** Where a command writes; progress bars are drawn only on a terminal. */
export interface Output {
  isTTY: boolean;
  write: (text: string) => void;
}

const standardOutput: Output = {
  isTTY: process.stdout.isTTY === true,
  write: (text) => void process.stdout.write(text),
};

/**
 * Runs an operator's command with the engines that the configuration names, including those of a running
 * instance, and returns its exit code. `migrates: false` leaves the schema as it is.
 */
export async function overEngines(
  work: (context: Context, output: Output) => Promise<number>,
  { migrates = true } = {},
): Promise<number> {
  const { context, close } = await openContext({
    config: loadConfig({ env: process.env }),
    log: silentLogger,
    metrics: noMetrics,
    embedded: "attach",
    migrates,
  });
  try {
    return await work(context, standardOutput);
  } finally {
    await close();
  }
}

/** Runs a command with this process's arguments; `broken` is the exit code after an exception. */
export async function runCommand(
  main: (args: string[]) => Promise<number>,
  broken = 1,
): Promise<void> {
  const code = await main(process.argv.slice(2)).catch((error) => {
    console.error(failureText(error));
    return broken;
  });
  // Exits explicitly, because a connection to an engine that hangs would keep the process alive.
  process.stdout.write("", () => process.exit(code));
}
