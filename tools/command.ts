import process from "node:process";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import type { Context } from "#platform/context.ts";
import { failureText } from "#platform/secrets.ts";

/** Where a command writes; bars are drawn on a terminal only. */
export interface Output {
  isTTY: boolean;
  write: (text: string) => void;
}

const standardOutput: Output = {
  isTTY: process.stdout.isTTY === true,
  write: (text) => void process.stdout.write(text),
};

/**
 * Runs an operator's command over the engines that the configuration names, those of a running
 * instance included, and returns its exit code.
 */
export async function overEngines(
  work: (context: Context, output: Output) => Promise<number>,
): Promise<number> {
  const { context, close } = await openContext({
    config: loadConfig({ env: process.env }),
    log: silentLogger,
    metrics: noMetrics,
    embedded: "attach",
  });
  try {
    return await work(context, standardOutput);
  } finally {
    await close();
  }
}

/** Runs a command with the arguments of this process; `broken` is the exit code of an error. */
export async function runCommand(
  main: (args: string[]) => Promise<number>,
  broken = 1,
): Promise<void> {
  const code = await main(process.argv.slice(2)).catch((error) => {
    console.error(failureText(error));
    return broken;
  });
  // Not by itself: the connection to an engine that hangs would keep the operator waiting.
  process.stdout.write("", () => process.exit(code));
}
