import { parseArgs } from "node:util";
import { z } from "zod";
import { maxPageSize } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { listFailed, retryAllFailed, retryFailed } from "#services/chat/failed.ts";
import { type Output, overEngines, runCommand } from "./command.ts";
import { table } from "./table.ts";

type Work = (context: Context, output: Output) => Promise<number>;

const usage = `Usage: npm run messages -- <command>

  failed [--limit <n>] [--json]
                         lists messages that were not sent and replies that were not taken in, newest first
  retry <id>...          tries some of them again
  retry --all            tries all of them again

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

const Ids = z.array(z.union([z.uuid(), z.string().regex(/^\d{1,15}$/)])).min(1);

/** What the arguments ask for; null when they are wrong. */
export function workOf([word, ...args]: string[]): Work | null {
  try {
    if (word === "failed") return failedOf(args);
    return word === "retry" ? retryOf(args) : null;
  } catch {
    return null;
  }
}

function failedOf(args: string[]): Work | null {
  const { values } = parseArgs({
    args,
    options: {
      limit: { type: "string", default: "100" },
      json: { type: "boolean", default: false },
    },
  });
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPageSize) return null;
  return async (context, output) => {
    const rows = await listFailed(context, limit);
    if (values.json) output.write(`${JSON.stringify(rows)}\n`);
    else output.write(rows.length > 0 ? table(rows.map((row) => ({ ...row }))) : "None failed.\n");
    return 0;
  };
}

function retryOf(args: string[]): Work | null {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { all: { type: "boolean", default: false } },
  });
  if (values.all) return positionals.length > 0 ? null : retryWork(retryAllFailed);
  const ids = [...new Set(Ids.parse(positionals))];
  return retryWork((context) => retryFailed(context, ids), ids.length);
}

/** Runs the work and says of how many; ends with 1 when it was fewer than wanted. */
function retryWork(retry: (context: Context) => Promise<number>, wanted = 0): Work {
  return async (context, output) => {
    const put = await retry(context);
    output.write(`Put ${put} into the queue again.\n`);
    if (put >= wanted) return 0;
    output.write(`${wanted - put} are unknown, or have not failed.\n`);
    return 1;
  };
}

async function main(args: string[]): Promise<number> {
  const work = workOf(args);
  if (work) return await overEngines(work);
  console.error(usage);
  return 2;
}

if (import.meta.main) await runCommand(main);
