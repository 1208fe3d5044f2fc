import { parseArgs } from "node:util";
import type { Context } from "#platform/context.ts";
import { slotFacts, slotNames, unannounced } from "#platform/ops/slot.ts";
import { problemOf } from "#services/notifier/reader/status.ts";
import { drop } from "#services/notifier/reader/slot.ts";
import type { Output } from "../command.ts";
import { table } from "../table.ts";
import type { Subcommand } from "./subcommand.ts";

/** Shows or drops the replication slot through which the notifier learns of changed alerts. */
export const slot: Subcommand = {
  usage: [
    "slot status [--json]   tells of slot and publication, and how far behind they are",
    "slot drop              drops both, once notifications are off and no notifier runs;",
    "                       switched on again, they start with the last ten minutes",
  ],
  parse(args) {
    try {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { json: { type: "boolean", default: false } },
      });
      const [action, ...rest] = positionals;
      if (rest.length > 0) return null;
      if (action === "status") return (context, output) => status(context, output, values.json);
      return action === "drop" && !values.json ? dropSlot : null;
    } catch {
      return null;
    }
  },
};

async function status(context: Context, output: Output, json: boolean): Promise<number> {
  const facts = await slotFacts(context);
  if (json) {
    output.write(`${JSON.stringify(facts)}\n`);
    return 0;
  }
  output.write(
    table(Object.entries(facts).map(([what, value]) => ({ what, value: shown(value) }))),
  );
  return 0;
}

const shown = (value: string | number | boolean | null) => value === null ? "-" : String(value);

async function dropSlot(context: Context, output: Output): Promise<number> {
  const names = slotNames(context.config);
  const left = await unannounced(context.db);
  const dropped = await drop(context.db, names).catch((error) => {
    const { message, repair } = problemOf(error);
    throw new Error(repair ? `${message}: ${repair}` : message);
  });
  const describe = (what: string, name: string, was: boolean) =>
    `${what} ${name} ${was ? "dropped" : "was not there"}.\n`;
  output.write(
    describe("Slot", names.slot, dropped.slot) +
      describe("Publication", names.publication, dropped.publication) +
      (left > 0 ? `${left} changes of alerts have not been announced.\n` : "") +
      "A notifier that is started with notifications.enabled makes them again, and announces " +
      "changes of the ten minutes before.\n",
  );
  return 0;
}
