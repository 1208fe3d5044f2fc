import { parseArgs } from "node:util";
import type { Database } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import {
  listQuarantined,
  releaseQuarantined,
} from "#services/trace-gateway/publisher/quarantine.ts";
import { republish, tracesStatus } from "#services/trace-gateway/publisher/repair.ts";
import { type Output, overEngines, runCommand } from "./command.ts";
import { table } from "./table.ts";

const usage = `Usage: npm run traces -- <command> [--json]

  status       tells who publishes services, what waits, and what became of the spans by partition
  republish    has all services composed and posted again by the trace gateway that runs
  quarantined  shows services and hosts that could not be composed, and why; the latest 1,000
    --release <name>  has that one composed again
    --release-all     has all of them composed again

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

export interface TracesCommand {
  command: "status" | "republish" | "quarantined";
  /** For `quarantined`: the subject (a service or host) that should be composed again, or all. */
  release?: { name: string } | "all";
  json: boolean;
}

const commands = ["status", "republish", "quarantined"] as const;

/** Parses the arguments; null when they are invalid. */
export function parseTraces(args: string[]): TracesCommand | null {
  try {
    const { values, positionals: [given, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        release: { type: "string" },
        "release-all": { type: "boolean", default: false },
      },
    });
    const command = commands.find((name) => name === given);
    const { json, release: name, "release-all": all } = values;
    if (more.length > 0 || command === undefined || name !== undefined && all) return null;
    if (name === undefined && !all) return { command, json };
    return command === "quarantined"
      ? { command, json, release: all ? "all" : { name: name! } }
      : null;
  } catch {
    return null;
  }
}

/** Runs the command and returns the exit code. */
export async function tracesCommand(
  { db }: Pick<Context, "db">,
  { command, json, release }: TracesCommand,
  output: Output,
): Promise<number> {
  const answer = (value: unknown, text: string) =>
    output.write(json ? `${JSON.stringify(value)}\n` : text);
  if (command === "republish") answer(...await republished(db, json, output));
  else if (command === "status") answer(...await readStatus(db));
  else answer(...await (release ? released(db, release) : listed(db)));
  return 0;
}

/** An answer in two forms: JSON, and text. */
type Answer = [unknown, string];

async function republished(db: Database, json: boolean, output: Output): Promise<Answer> {
  const shows = output.isTTY && !json;
  const subjects = await republish(db, (entities) => {
    if (shows) output.write(`\r\x1b[Kforgotten ${entities}`);
  });
  const what = `${subjects} services and hosts will be posted again`;
  const clear = shows ? "\r\x1b[K" : "";
  return [{ subjects }, `${clear}${what}; npm run traces -- status shows when none waits.\n`];
}

async function readStatus(db: Database): Promise<Answer> {
  const status = await tracesStatus(db);
  const { publisher, checkpoints } = status;
  const lines = Object.entries(publisher).map(([name, value]) =>
    `${name.replaceAll("_", " ").padEnd(18)} ${value ?? "none"}`
  );
  const spans = checkpoints.length > 0 ? `\n${table(checkpoints.map((c) => ({ ...c })))}` : "";
  return [status, `${lines.join("\n")}\n${spans}`];
}

/** Maximum number of subjects shown. */
const maxShown = 1_000;

async function listed(db: Database): Promise<Answer> {
  const rows = (await listQuarantined(db, maxShown)).map(({ since, tried_at, ...row }) => ({
    ...row,
    since: since.toISOString(),
    tried_at: tried_at.toISOString(),
  }));
  return [rows, rows.length > 0 ? table(rows) : "Nothing is quarantined.\n"];
}

async function released(
  db: Database,
  release: NonNullable<TracesCommand["release"]>,
): Promise<Answer> {
  const subjects = await releaseQuarantined(db, release === "all" ? null : release.name);
  return [{ subjects }, `${subjects} services and hosts will be composed again.\n`];
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
