import type { EdgePair } from "#graph/port.ts";
import { rebuild, type RebuildDeps } from "#services/ingest-consumer/projector/rebuild.ts";
import { isEqual, verify, type VerifyReport } from "#platform/ops/edges.ts";
import { type Output, overEngines, runCommand } from "./command.ts";

const usage = `Usage: npm run graph -- <command>

  verify    compares the lineage graph with the metadata; exit code 1 if they differ
  rebuild   drops the lineage graph and projects it again

Exit codes: 0 done or equal, 1 different, 2 could not be done.`;

export type CommandContext = RebuildDeps;

/** Runs `verify` or `rebuild` and returns the exit code. */
export async function graphCommand(
  context: CommandContext,
  command: "verify" | "rebuild",
  output: Output,
): Promise<number> {
  const progress = progressOn(output, command);
  const clear = output.isTTY ? "\r\x1b[K" : "";
  if (command === "rebuild") {
    const result = await rebuild(context, { progress });
    output.write(
      clear +
        (result.projection === "inline"
          ? "The graph is the metadata itself (projection inline): nothing to rebuild.\n"
          : `Rebuilt: ${result.edges} edges, position ${result.position}.\n`),
    );
    return 0;
  }
  const result = await verify(context, { progress });
  if (result.projection === "inline") {
    output.write("The graph is the metadata itself (projection inline): nothing to compare.\n");
    return 0;
  }
  output.write(clear + described(result));
  return isEqual(result) ? 0 : 1;
}

/** Draws the number of edges done, with the estimated total if known; at most ten times a second. */
function progressOn({ isTTY, write }: Output, command: string) {
  let last = 0;
  return (edges: number, estimate = 0) => {
    const now = performance.now();
    if (now - last < (isTTY ? 100 : 5_000)) return;
    last = now;
    const share = estimate > 0 ? Math.min(1, edges / estimate) : undefined;
    if (!isTTY) return write(`${command}: ${edges} edges\n`);
    const bar = share === undefined
      ? ""
      : ` [${"#".repeat(Math.round(share * 30)).padEnd(30, ".")}] ${Math.round(share * 100)} %`;
    write(`\r\x1b[K${command}${bar} ${edges} edges`);
  };
}

/** Maximum number of differences listed on a terminal. */
const shown = 20;

function described(report: VerifyReport): string {
  const { compared, missing, extra, more, position, head } = report;
  const lines = [`Compared ${compared} edges; graph at position ${position}, metadata at ${head}.`];
  if (position < head) lines.push(`The graph is ${head - position} positions behind.`);
  const list = (title: string, edges: EdgePair[]) => {
    if (edges.length === 0) return;
    lines.push(`${edges.length} ${title}:`);
    lines.push(...edges.slice(0, shown).map(([parent, child]) => `  ${parent} -> ${child}`));
    if (edges.length > shown) lines.push(`  and ${edges.length - shown} more`);
  };
  list("edges that the graph lacks", missing);
  list("edges that the graph should not have", extra);
  if (more) lines.push("There are more differences than listed.");
  lines.push(
    isEqual(report) ? "They are equal." : "They differ; `npm run graph -- rebuild` mends it.",
  );
  return `${lines.join("\n")}\n`;
}

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command !== "verify" && command !== "rebuild" || rest.length > 0) {
    console.error(usage);
    return 2;
  }
  return await overEngines((context, output) => graphCommand(context, command, output));
}

if (import.meta.main) await runCommand(main, 2);
