import { parseArgs } from "node:util";
import { type GroupOfTopic, groups, lagOf } from "#platform/ops/lag.ts";
import { overEngines, runCommand } from "./command.ts";
import { table } from "./table.ts";

const usage = `Usage: npm run lag [-- --group <group> --topic <topic>] [--json]

Shows the lag of a consumer group, by partition;
without a group, those of all groups of this instance.

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

/** Parses the arguments; null when they are invalid. */
export function parseLag(args: string[]): { groups: GroupOfTopic[]; json: boolean } | null {
  try {
    const { values } = parseArgs({
      args,
      options: {
        group: { type: "string" },
        topic: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const { group, topic, json } = values;
    if ((group === undefined) !== (topic === undefined)) return null;
    return { groups: group && topic ? [{ group, topic }] : groups, json };
  } catch {
    return null;
  }
}

async function main(args: string[]): Promise<number> {
  const parsed = parseLag(args);
  if (!parsed) {
    console.error(usage);
    return 2;
  }
  return await overEngines(async (context, output) => {
    const rows = await lagOf(context.events, parsed.groups);
    const total = rows.reduce((sum, { lag }) => sum + lag, 0);
    const text = parsed.json
      ? `${JSON.stringify({ total, partitions: rows })}\n`
      : `${rows.length > 0 ? table(rows.map((row) => ({ ...row }))) : ""}total lag ${total}\n`;
    output.write(text);
    return 0;
  });
}

if (import.meta.main) await runCommand(main);
