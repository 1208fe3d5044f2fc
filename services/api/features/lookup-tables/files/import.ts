import { Readable } from "node:stream";
import type { CsvError } from "csv-parse";
import { maxDetails } from "#contract/bounded.ts";
import { badRequest, type ErrorDetail, invalidFields } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import { EventLoopYielder } from "#kit/event-loop.ts";
import { onDemand } from "#kit/on-demand.ts";
import type { Context } from "#platform/context.ts";
import { maxColumns, maxRowBytes, transferRows } from "../limits.ts";
import { type Cells, normalised, rowCount } from "../physical/definition.queries.ts";
import { clearRows, insertRows } from "../physical/rows.queries.ts";
import type { LookupStore, Physical } from "#platform/lookup-store.ts";
import {
  columnsToWrite,
  countWritten,
  repeatsOf,
  requireTable,
  withoutRepeats,
  writtenColumns,
} from "../rows.ts";
import type { Column, Table } from "../structure.queries.ts";
import { readCell, types } from "../types.ts";
import { withoutGuard } from "./export.ts";
import type { Slots } from "#services/api/transfers.ts";

const csv = onDemand<typeof import("csv-parse")>("csv-parse");

export const importModes = ["append", "replace"] as const;
type Mode = (typeof importModes)[number];

interface Deps extends Pick<Context, "db" | "config"> {
  store: LookupStore;
  slots: Slots;
  /** Whose share of the slots is used. */
  caller?: string;
}

/**
 * Adds the rows of a CSV file, or puts them in the place of all rows: all of them or none. The first line
 * names columns, at least one besides `id`, which is skipped; a column that is not named gets its default. Throws 400 that
 * names lines and columns, 404, 503 when too many transfers run, and 429 when those of the caller do.
 */
export async function importRows(
  { db, config, store, slots, caller }: Deps,
  id: number,
  mode: Mode,
  chunks: AsyncGenerator<Uint8Array>,
): Promise<{ inserted: number; total: number }> {
  const release = slots.take(caller);
  try {
    const requested = await requireTable(db, id);
    const max = config.metadata.lookup["max-rows"];
    const records = recordsOf(chunks);
    const first = await records.next();
    if (first.done) throw badRequest("The file is empty: its first line must name columns");
    return await store.alone(async (on) => {
      // A client may take its time between two pieces; how long in all is bounded where they are read.
      await on.tx.query(
        `SET LOCAL idle_in_transaction_session_timeout = ${
          config.metadata.lookup["import-timeout"]
        }`,
      );
      if (mode === "replace") await clearRows(on, requested);
      const before = mode === "replace" ? 0 : await rowCount(on, requested);
      // Read again: the client may have sent the first line late. From the statement before on, any client that
      // changes columns waits for the end of this transaction.
      const table = await requireTable(db, id);
      const header = headerOf(table, first.value);
      const writer = new Writer(on, table, header, max - before, max);
      for await (const record of records) await writer.take(record);
      const inserted = await writer.finish();
      return { inserted, total: await countWritten(on, table, inserted, max) };
    });
  } finally {
    // A client that is still sending reads the answer only once its body was taken, but that is not waited for long.
    const late = () => new Error("the rest of the file did not come");
    await withTimeout(chunks.return(undefined), 6_000, late).catch(() => {});
    release();
  }
}

/** For each place of a line its column; null for the key, which is passed over. */
type Header = (Column | null)[];

function headerOf(table: Table, { cells }: CsvRecord): Header {
  columnsToWrite(table);
  const byName = new Map(table.columns.map((column) => [column.normalised, column]));
  const seen = new Set<Column>();
  const faults: ErrorDetail[] = [];
  const header = cells.slice(0, 2 * table.columns.length).map((cell) => {
    const name = withoutGuard(cell);
    const column = byName.get(normalised(name));
    const field = `line 1, column ${JSON.stringify(name.slice(0, 80))}`;
    if (!column) faults.push({ field, message: "is no column of the table" });
    else if (seen.has(column)) faults.push({ field, message: "is named twice" });
    else seen.add(column);
    return column && !column.key ? column : null;
  });
  for (const column of writtenColumns(table)) {
    const needed = !column.nullable && column.default === null && column.type !== "SERIAL";
    if (needed && !seen.has(column)) {
      const message = "must be in the file, since it must hold something";
      faults.push({ field: `line 1, column ${JSON.stringify(column.name)}`, message });
    }
  }
  if (faults.length === 0 && header.every((column) => column === null)) {
    const names = writtenColumns(table).slice(0, 10).map(({ name }) => JSON.stringify(name));
    const message =
      `numbers rows automatically, so nothing of the file would be stored: name a column such as ${
        names.join(", ")
      }, or a column of your own for these keys`;
    faults.push({ field: 'line 1, column "id"', message });
  }
  if (faults.length > 0) throw invalidFile(faults);
  return header;
}

/** Judges lines and writes them by portions, each a fixed number of statements. */
class Writer {
  readonly #columns: Column[];
  readonly #faults: ErrorDetail[] = [];
  #cells: Cells;
  #lines: number[] = [];
  #bytes = 0;
  #inserted = 0;

  constructor(
    private readonly on: Physical,
    private readonly table: Table,
    private readonly header: Header,
    private readonly remaining: number,
    private readonly max: number,
  ) {
    this.#columns = writtenColumns(table);
    this.#cells = this.#columns.map(() => []);
  }

  async take({ line, cells }: CsvRecord): Promise<void> {
    if (cells.length !== this.header.length) {
      const message = `has ${cells.length} cells, the first line has ${this.header.length}`;
      return this.#fault({ field: `line ${line}`, message });
    }
    const given = new Map(this.header.map((column, i) => [column, cells[i]!]));
    let bytes = 0;
    for (const [i, column] of this.#columns.entries()) {
      const text = given.get(column);
      const read = text !== undefined && types[column.type].text ? withoutGuard(text) : text;
      const cell = readCell(column, read ?? column.default);
      if ("fault" in cell) this.#fault({ field: placeOf(line, column), message: cell.fault });
      else {
        this.#cells[i]!.push(cell.value);
        bytes += cell.bytes;
      }
    }
    if (bytes > maxRowBytes) {
      this.#fault({ field: `line ${line}`, message: `must hold at most ${maxRowBytes} bytes` });
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    if (this.#lines.length >= transferRows || this.#bytes > 1_048_576) await this.#write();
  }

  /** Writes what is left; returns how many rows were written in all. */
  async finish(): Promise<number> {
    await this.#write();
    if (this.#faults.length > 0) throw invalidFile(this.#faults);
    return this.#inserted;
  }

  #fault(fault: ErrorDetail): void {
    this.#faults.push(fault);
    if (this.#faults.length >= maxDetails) throw invalidFile(this.#faults);
  }

  /** Once a line was rejected, others are only validated: nothing will be committed. */
  async #write(): Promise<void> {
    const [cells, lines] = [this.#cells, this.#lines];
    this.#cells = this.#columns.map(() => []);
    this.#lines = [];
    this.#bytes = 0;
    if (this.#faults.length > 0 || lines.length === 0) return;
    this.#inserted += lines.length;
    if (this.#inserted > this.remaining) {
      throw badRequest(
        `The table would have more than ${this.max} rows (metadata.lookup.max-rows)`,
      );
    }
    const { on, table } = this;
    const describe = (row: number, column: Column) => placeOf(lines[row]!, column);
    await withoutRepeats(on, table, {
      write: () => insertRows(on, table, this.#columns, cells),
      repeats: () => repeatsOf(on, table, this.#columns, cells, describe, null),
    });
  }
}

const placeOf = (line: number, column: Column) => `line ${line}, column "${column.name}"`;

function invalidFile(faults: ErrorDetail[]) {
  return invalidFields("file", faults, maxDetails);
}

/** A record of a CSV file and the line on which it begins. */
interface CsvRecord {
  line: number;
  cells: string[];
}

/**
 * The records of a CSV file (RFC 4180: commas, double quotes, UTF-8, with or without a byte order mark), blank
 * lines left out. Throws 400 that names the line for what is no CSV.
 */
async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const parser = csv().parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 2 * maxRowBytes,
    // Empty cells have no size.
    cast: (cell, { index, lines }) => {
      if (index > maxCells) throw invalid(lines, `must hold at most ${maxCells} cells`);
      return cell;
    },
  });
  const source = Readable.from(textsOf(chunks), { highWaterMark: 1 });
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      const within = record.reduce((lines, cell) => lines + newlines(cell), 0);
      yield { line: info.lines - within, cells: record };
    }
  } catch (error) {
    throw readable(error);
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** Cells of a line, beyond which it is not even read. */
const maxCells = 2 * (maxColumns + 1);

interface ParsedRecord {
  record: string[];
  info: { lines: number };
}

const newlines = (cell: string) => (cell.match(/\r\n|\r|\n/g) ?? []).length;

/** Bytes that are parsed at once, between which others have their turn. */
const piece = 8_192;

async function* textsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const yielder = new EventLoopYielder();
  try {
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length; from += piece) {
        await yielder.yieldWhenDue();
        const text = decoder.decode(chunk.subarray(from, from + piece), { stream: true });
        if (text !== "") yield text;
      }
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } catch (error) {
    if (error instanceof TypeError) throw badRequest("The file must be UTF-8");
    throw error;
  }
}

function readable(error: unknown): unknown {
  if (!(error instanceof csv().CsvError)) return error;
  const { code, lines, message } = error as CsvError & { lines?: number };
  const why = code === "CSV_MAX_RECORD_SIZE"
    ? `must hold at most ${2 * maxRowBytes} characters`
    : `is no CSV: ${message}`;
  return invalid(lines, why);
}

function invalid(line: number | undefined, why: string) {
  return invalidFile([{ field: `line ${line ?? "?"}`, message: why }]);
}
