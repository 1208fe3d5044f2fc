import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { badRequest } from "#kit/errors.ts";
import { EventLoopYielder } from "#kit/event-loop.ts";
import { maxColumns, maxRowBytes } from "../limits.ts";

/** A record of a CSV file and the line on which it begins. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/**
 * The records of a CSV file (RFC 4180: commas, double quotes, UTF-8, with or without a byte order mark), blank
 * lines left out. Throws 400 that names the line for what is no CSV.
 */
export async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const parser = parse({
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
  if (!(error instanceof CsvError)) return error;
  const { code, lines, message } = error as CsvError & { lines?: number };
  const why = code === "CSV_MAX_RECORD_SIZE"
    ? `must hold at most ${2 * maxRowBytes} characters`
    : `is no CSV: ${message}`;
  return invalid(lines, why);
}

function invalid(line: number | undefined, why: string) {
  const field = `line ${line ?? "?"}`;
  return badRequest(`Invalid file: ${field}: ${why}`, [{ field, message: why }]);
}
