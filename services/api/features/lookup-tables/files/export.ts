import type { Context } from "#platform/context.ts";
import type { LookupStore, Physical } from "#platform/lookup-store.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { Handoff, type Slots } from "#services/api/transfers.ts";
import { exportMaxWaitMs, transferRows } from "../limits.ts";
import { nextRows, openRows, type TextRow } from "../physical/rows.queries.ts";
import { withTable } from "../rows.ts";
import type { Table } from "../structure.queries.ts";
import { types } from "../types.ts";

export const exportFormats = ["csv", "ndjson"] as const;
type Format = (typeof exportFormats)[number];

interface Deps extends Pick<Context, "db" | "config" | "log"> {
  store: LookupStore;
  slots: Slots;
  /** Whose share of the slots is used. */
  caller?: string;
  /** Milliseconds in which the next piece must have been taken. */
  maxWaitMs?: number;
}

/**
 * All rows of a table as they are now, the oldest first, streamed. Throws 404, 503 when too many transfers
 * run, and 429 when those of the caller do. A reader that is too slow finds the connection broken.
 */
export async function exportRows(deps: Deps, id: number, format: Format): Promise<Reply> {
  const release = deps.slots.take(deps.caller);
  try {
    const content = await withTable(
      deps.db,
      id,
      (table) => streamed(deps, table, format, release),
    );
    const contentType = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
    const headers = {
      "content-disposition": `attachment; filename="lookup-table-${id}.${format}"`,
      "x-content-type-options": "nosniff",
    };
    return { status: 200, raw: { content, contentType }, headers };
  } catch (error) {
    release();
    throw error;
  }
}

/** Resolves with the stream once the first rows are read, and so all is known to be well. */
function streamed(
  { store, log, config, maxWaitMs = exportMaxWaitMs }: Deps,
  table: Table,
  format: Format,
  release: () => void,
): Promise<ReadableStream<Uint8Array>> {
  const stream = new Handoff();
  const deadline = Date.now() + config.metadata.lookup["import-timeout"];
  const give = (text: string) =>
    stream.give(new TextEncoder().encode(text), Math.min(maxWaitMs, deadline - Date.now()));
  return new Promise((opened, failed) => {
    let begun = false;
    const first = () => {
      begun = true;
      opened(stream.readable);
    };
    const work = store.alone(async (on) => {
      await on.tx.query(
        `SET LOCAL idle_in_transaction_session_timeout = ${2 * exportMaxWaitMs}`,
      );
      await openRows(on, table);
      await writeAll(on, table, format, { give, first });
    });
    work.then(() => stream.close(), (error) => {
      failed(error);
      log.debug("export ended early", { table: table.id, error });
      stream.fail(error);
    }).catch(() => {}).finally(() => begun && release());
  });
}

async function writeAll(
  on: Physical,
  table: Table,
  format: Format,
  { give, first }: { give: (text: string) => Promise<void>; first: () => void },
): Promise<void> {
  const write = format === "csv" ? csvRow(table) : ndjsonRow(table);
  let rows = await nextRows(on, transferRows);
  first();
  if (format === "csv") await give(csvLine(table.columns.map(({ name }) => withGuard(name))));
  while (rows.length > 0) {
    await give(rows.map(write).join(""));
    rows = await nextRows(on, transferRows);
  }
}

function csvRow({ columns }: Table): (row: TextRow) => string {
  const texts = columns.map(({ type }) => types[type].text === true);
  return ({ cells }) =>
    csvLine(cells.map((cell, i) => (texts[i] ? withGuard(cell ?? "") : cell ?? "")));
}

/** One object a line: numbers, truths and JSON as such, all else as text. */
function ndjsonRow({ columns }: Table): (row: TextRow) => string {
  const names = columns.map(({ name }) => JSON.stringify(name));
  const literal = columns.map(({ type }) => types[type].literal === true);
  return ({ cells }) => {
    const members = cells.map((cell, i) => {
      const value = cell === null || literal[i] ? cell ?? "null" : JSON.stringify(cell);
      return `${names[i]}:${value}`;
    });
    return `{${members.join(",")}}\n`;
  };
}

// What spreadsheets take for a formula when a cell begins with it (OWASP, "CSV Injection"). Where the list separator of the
// system is not a comma they split cells elsewhere, and know quotes only at the beginning of what they take for a cell.
const guardedStart = /^([ "]*)(?='*[=+\-@\t\r\n＝＋－＠])/;
const unguardedStart = /^([ "]*)'(?='*[=+\-@\t\r\n＝＋－＠])/;
const guardedWithin = /([;|\t\r\n][ "]*)(?='*[=+\-@＝＋－＠])/g;
const unguardedWithin = /([;|\t\r\n][ "]*)'(?='*[=+\-@＝＋－＠])/g;

/**
 * A text of which no spreadsheet takes anything for a formula: an apostrophe stands before what would begin one, at its
 * beginning and after a separator within it. `withoutGuard` takes them away again, for every text.
 */
export function withGuard(text: string): string {
  return text.replaceAll(guardedWithin, "$1'").replace(guardedStart, "$1'");
}

/** The text as it was before `withGuard`. */
export function withoutGuard(text: string): string {
  return text.replace(unguardedStart, "$1").replaceAll(unguardedWithin, "$1");
}

/** A line of CSV (RFC 4180). */
export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
