import { parseArgs } from "node:util";
import {
  type DeadLetterStore,
  dropDeadLetters,
  listDeadLetters,
  replayDeadLetters,
} from "#eventlog/dead-letters.ts";
import type { Selection } from "#eventlog/dead-letter-selection.ts";
import { type Output, overEngines, runCommand } from "./command.ts";
import { table } from "./table.ts";

const usage = `Usage: npm run dead-letters -- <command> [selection] [--json]

  list      shows dead letters that nobody replayed or dropped (--limit <n>, default 100)
  replay    puts them back to the topic they came from
  drop      marks them as dealt with

Selection: --all, --reason <reason>, or --id <id> (as often as needed); list shows all without one.

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

export interface DeadLetterCommand {
  command: "list" | "replay" | "drop";
  selection: Selection;
  limit: number;
  json: boolean;
}

/** Parses the arguments; null when they are invalid. Replay and drop need a selection. */
export function parseDeadLetters(args: string[]): DeadLetterCommand | null {
  try {
    const { values, positionals: [command, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: "boolean" },
        reason: { type: "string" },
        id: { type: "string", multiple: true },
        limit: { type: "string", default: "100" },
        json: { type: "boolean", default: false },
      },
    });
    const limit = Number(values.limit);
    if (more.length > 0 || !Number.isInteger(limit) || limit < 1) return null;
    if (command !== "list" && command !== "replay" && command !== "drop") return null;
    const selections: Selection[] = [];
    if (values.all) selections.push({ all: true });
    if (values.reason !== undefined) selections.push({ reason: values.reason });
    if (values.id) selections.push({ ids: values.id });
    if (selections.length === 0 && command === "list") selections.push({ all: true });
    const [selection, ...others] = selections;
    return selection && others.length === 0
      ? { command, selection, limit, json: values.json }
      : null;
  } catch {
    return null;
  }
}

/** Runs the command and returns the exit code. */
export async function deadLettersCommand(
  store: DeadLetterStore,
  { command, selection, limit, json }: DeadLetterCommand,
  output: Output,
): Promise<number> {
  const answer = (value: unknown, text: string) =>
    output.write(json ? `${JSON.stringify(value)}\n` : text);
  if (command === "list") {
    const deadLetters = await listDeadLetters(store, selection, limit);
    const text = deadLetters.length > 0
      ? table(deadLetters.map((l) => ({ ...l })))
      : "No dead letters.\n";
    answer(deadLetters, text);
  } else if (command === "drop") {
    const dropped = await dropDeadLetters(store, selection);
    answer({ dropped }, `Dropped ${dropped}.\n`);
  } else {
    const done = await replayDeadLetters(store, selection, (count) => {
      if (output.isTTY && !json) output.write(`\r\x1b[Kreplayed ${count}`);
    });
    const clear = output.isTTY ? "\r\x1b[K" : "";
    const rest = done.skipped.length > 0
      ? `Not replayed, since they were truncated or their topic does not accept them: ${
        done.skipped.join(", ")
      }.\n`
      : "";
    answer(done, `${clear}Replayed ${done.replayed}.\n${rest}`);
  }
  return 0;
}

async function main(args: string[]): Promise<number> {
  const parsed = parseDeadLetters(args);
  if (!parsed) {
    console.error(usage);
    return 2;
  }
  return await overEngines((context, output) => deadLettersCommand(context, parsed, output));
}

if (import.meta.main) await runCommand(main);
