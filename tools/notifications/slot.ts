import { parseArgs } from "node:util";
import type { Context } from "#platform/context.ts";
import { slotNames } from "#services/notifier/reader/names.ts";
import { problemOf } from "#services/notifier/reader/problems.ts";
import { drop, type Look, lookAt, unannounced } from "#services/notifier/reader/slot.ts";
import type { Output } from "../command.ts";
import { table } from "../table.ts";
import type { Subcommand } from "./subcommand.ts";

/** Shows or drops the replication slot through which the notifier learns of changed alerts. */
export const slot: Subcommand = {
  usage: [
    "slot status [--json]   tells of slot and publication, and how far behind they are",
    "slot drop              drops both, once notifications are off and no notifier runs;",
    "                       switched on again, they tell of the last ten minutes and go on from there",
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
  const names = slotNames(context.config);
  const look = await lookAt(context.db, names);
  const facts = factsOf(look, names, await unannounced(context.db));
  if (json) {
    output.write(`${JSON.stringify(facts)}\n`);
    return 0;
  }
  output.write(
    table(Object.entries(facts).map(([what, value]) => ({ what, value: shown(value) }))),
  );
  return 0;
}

function factsOf(look: Look, names: ReturnType<typeof slotNames>, unannounced: number) {
  const { slot, publication } = look;
  return {
    slot: names.slot,
    exists: slot !== null,
    active: slot?.active ?? false,
    pid: slot?.pid ?? null,
    wal_status: slot?.walStatus ?? null,
    invalidation_reason: slot?.invalidated ?? null,
    lag_bytes: slot?.lagBytes ?? null,
    retained_bytes: slot?.retainedBytes ?? null,
    confirmed_lsn: slot?.confirmedLsn ?? null,
    restart_lsn: slot?.restartLsn ?? null,
    publication: names.publication,
    publication_exists: publication !== null,
    wal_level: look.walLevel,
    announced_since: look.feed?.announce_since ?? null,
    unannounced,
  };
}

const shown = (value: string | number | boolean | null) => value === null ? "-" : String(value);

async function dropSlot(context: Context, output: Output): Promise<number> {
  const names = slotNames(context.config);
  const left = await unannounced(context.db);
  const dropped = await drop(context.db, names).catch((error) => {
    const { message, repair } = problemOf(error);
    throw new Error(repair ? `${message}: ${repair}` : message);
  });
  const told = (what: string, name: string, was: boolean) =>
    `${what} ${name} ${was ? "dropped" : "was not there"}.\n`;
  output.write(
    told("Slot", names.slot, dropped.slot) +
      told("Publication", names.publication, dropped.publication) +
      (left > 0 ? `${left} changes of alerts have not been announced.\n` : "") +
      "A notifier that is started with notifications.enabled makes them again, and announces " +
      "changes of the ten minutes before.\n",
  );
  return 0;
}
