import { parseArgs } from "node:util";
import type { Context } from "#platform/context.ts";
import { republish, tracesStatus } from "#services/trace-gateway/publisher/repair.ts";
import { type Output, overEngines, runCommand } from "./command.ts";
import { table } from "./table.ts";

const usage = `Usage: npm run traces -- <command> [--json]

  status     tells who publishes services, what waits, and what became of the spans by partition
  republish  has all services composed and posted again by the trace gateway that runs

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

export interface TracesCommand {
  command: "status" | "republish";
  json: boolean;
}

/** What the arguments ask for; null when they are wrong. */
export function parseTraces(args: string[]): TracesCommand | null {
  try {
    const { values, positionals: [command, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false } },
    });
    if (more.length > 0 || command !== "status" && command !== "republish") return null;
    return { command, json: values.json };
  } catch {
    return null;
  }
}

/** Runs the command and returns the exit code. */
export async function tracesCommand(
  { db }: Pick<Context, "db">,
  { command, json }: TracesCommand,
  output: Output,
): Promise<number> {
  const answer = (value: unknown, text: string) =>
    output.write(json ? `${JSON.stringify(value)}\n` : text);
  if (command === "republish") {
    const subjects = await republish(db, (entities) => {
      if (output.isTTY && !json) output.write(`\r\x1b[Kforgotten ${entities}`);
    });
    const clear = output.isTTY && !json ? "\r\x1b[K" : "";
    const what = `${subjects} services and hosts will be posted again`;
    answer({ subjects }, `${clear}${what}; npm run traces -- status tells when none waits.\n`);
    return 0;
  }
  const status = await tracesStatus(db);
  const { publisher, checkpoints } = status;
  const lines = Object.entries(publisher).map(([name, value]) =>
    `${name.replaceAll("_", " ").padEnd(18)} ${value ?? "none"}`
  );
  const spans = checkpoints.length > 0 ? `\n${table(checkpoints.map((c) => ({ ...c })))}` : "";
  answer(status, `${lines.join("\n")}\n${spans}`);
  return 0;
}

async function main(args: string[]): Promise<number> {
  const parsed = parseTraces(args);
  if (!parsed) {
    console.error(usage);
    return 2;
  }
  return await overEngines((context, output) => tracesCommand(context, parsed, output));
}

if (import.meta.main) await runCommand(main);
