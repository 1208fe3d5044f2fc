import { sized } from "#test/support/size.ts";
import { send } from "../send.ts";
import type { Subject } from "../subject.ts";
import { type CostCase, mebibyte } from "./case.ts";

const size = 90 * mebibyte;
const filledWith = (unit: string, bytes = size) => unit.repeat(Math.floor(bytes / unit.length));

/** Files that are costly in a way of their own; compressed they cost their sender next to nothing. */
const files: [string, () => string][] = [
  ["blank lines", () => `word\n${filledWith("\n")}`],
  ["one long cell", () => `word\n${filledWith("x")}`],
  ["one long cell in quotes", () => `word\n"${filledWith("x\n")}`],
  ["commas", () => `word\n${filledWith(",", 60_000)}\n${filledWith(",", 20 * mebibyte)}`],
  ["a header of many columns", () => filledWith("word,", 60_000)],
  ["quotes", () => `word\n${filledWith('""""', 60_000)}${filledWith('"')}`],
  ["short lines", () => `word\n${filledWith("a\n", sized(0.5, 2) * mebibyte)}`],
];

/** A lookup table with one column; its path. */
async function tableOf({ url }: Subject): Promise<string> {
  const path = `${url}/api/referencedata/table`;
  const form = { name: crypto.randomUUID(), namespace_name: "cost" };
  const { text } = await send(path, { body: JSON.stringify(form) });
  const table = `${path}/${JSON.parse(text).table_id}`;
  const columns = [{ name: "word", field_type: "VARCHAR" }];
  await send(`${table}/columns`, { body: JSON.stringify(columns) });
  return table;
}

/** Imports of lookup tables as their makers should not write them. */
export function lookupTableCases(): CostCase[] {
  return files.map(([what, file]) => ({
    name: `POST /api/referencedata/table/{id}/data/import: ${what}`,
    declared: [200, 400, 413],
    async send(subject) {
      const path = `${await tableOf(subject)}/data/import`;
      return await send(path, { body: file(), type: "text/csv", gzip: true });
    },
  }));
}
