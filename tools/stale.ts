import { parseArgs } from "node:util";
import type { Context } from "#platform/context.ts";
import {
  type EvaluatedSource,
  evaluateSources,
  isApproved,
  noteApproved,
} from "#platform/stale/evaluate.ts";
import { candidatesOf } from "#platform/stale/queries.ts";
import { type Output, overEngines, runCommand } from "./command.ts";
import { table } from "./table.ts";

const usage = `Usage: npm run stale -- <command> [--json]

  list      tells of each data source that housekeeping.stale names what went stale, and what becomes of it
  dry-run   shows the entities that would expire now, at most 1,000
  approve --source <catrn> --count <n>
            lets so many of a source expire that the fuse holds: within a day, and a tenth more or less

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

export type StaleCommand =
  & { json: boolean }
  & (
    | { command: "list" | "dry-run" }
    | { command: "approve"; source: string; count: number }
  );

/** Parses the arguments; null when they are wrong. */
export function parseStale(args: string[]): StaleCommand | null {
  try {
    const { values, positionals: [command, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        source: { type: "string" },
        count: { type: "string" },
      },
    });
    const { json, source, count } = values;
    if (more.length > 0) return null;
    if (command === "approve") {
      if (source === undefined || !/^[1-9]\d{0,11}$/.test(count ?? "")) return null;
      return { command, json, source, count: Number(count) };
    }
    if (source !== undefined || count !== undefined) return null;
    return command === "list" || command === "dry-run" ? { command, json } : null;
  } catch {
    return null;
  }
}

/** Runs the command and returns the exit code. */
export async function staleCommand(
  context: Pick<Context, "db" | "config" | "clock">,
  command: StaleCommand,
  output: Output,
): Promise<number> {
  const now = new Date(context.clock.now());
  if (command.command === "approve") return await approve(context, command, now, output);
  const rows: Row[] = command.command === "list"
    ? await list(context, now)
    : await dryRun(context, now);
  const none = command.command === "list"
    ? "No data source is named by housekeeping.stale.sources.\n"
    : "Nothing would expire.\n";
  const text = rows.length > 0 ? table(rows) : none;
  output.write(command.json ? `${JSON.stringify(rows)}\n` : text);
  return 0;
}

type StaleDeps = Pick<Context, "db" | "config">;

/** What is shown of a source or an entity. */
type Row = Parameters<typeof table>[0][number];

async function list({ db, config }: StaleDeps, now: Date) {
  const rows = [];
  for await (const evaluated of evaluateSources(db, config.housekeeping.stale, now)) {
    rows.push(rowOf(evaluated, now));
  }
  return rows;
}

function rowOf({ source, policy, survey, decision, fuse, state }: EvaluatedSource, now: Date) {
  return {
    source: source.catrn,
    act: policy.act,
    hours: policy.after / 3_600_000,
    live: survey.live,
    stale: survey.stale,
    fuse,
    state,
    approved: isApproved(survey.stale, decision, now) ? decision.approved : null,
    seen: survey.seen,
  };
}

/** Maximum number of entities shown. */
const maxShown = 1_000;

async function dryRun({ db, config }: StaleDeps, now: Date) {
  const rows: Row[] = [];
  for await (const evaluated of evaluateSources(db, config.housekeeping.stale, now)) {
    const { source, policy, period, state } = evaluated;
    const max = maxShown - rows.length;
    if (state !== "due" || max <= 0) continue;
    const edges = policy.act === "edges";
    for (const found of await candidatesOf(db, source.id, period.cutoff, { edges, max })) {
      const { id, catrn, seen } = found;
      rows.push({ act: policy.act, id, catrn, seen });
    }
  }
  return rows;
}

async function approve(
  { db }: StaleDeps,
  { source, count, json }: Extract<StaleCommand, { command: "approve" }>,
  now: Date,
  output: Output,
): Promise<number> {
  if (!await noteApproved(db, source, count, now.toISOString())) {
    throw new Error(`There is no data source ${source}`);
  }
  const text = `${count} of ${source} may expire; the next sweep does it, within a day.\n`;
  output.write(json ? `${JSON.stringify({ source, count })}\n` : text);
  return 0;
}

async function main(args: string[]): Promise<number> {
  const parsed = parseStale(args);
  if (!parsed) {
    console.error(usage);
    return 2;
  }
  return await overEngines((context, output) => staleCommand(context, parsed, output));
}

if (import.meta.main) await runCommand(main);
