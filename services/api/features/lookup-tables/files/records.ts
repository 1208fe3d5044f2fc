import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { badRequest } from "#kit/errors.ts";
import { maxRowBytes } from "../limits.ts";

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
  });
  const source = Readable.from(textsOf(chunks));
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
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

interface Parsed {
  record: string[];
  info: { lines: number };
}

const newlines = (cell: string) => (cell.match(/\r\n|\r|\n/g) ?? []).length;

async function* textsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") yield text;
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
  const field = `line ${lines ?? "?"}`;
  const why = code === "CSV_MAX_RECORD_SIZE"
    ? `must hold at most ${2 * maxRowBytes} characters`
    : `is no CSV: ${message}`;
  return badRequest(`Invalid file: ${field}: ${why}`, [{ field, message: why }]);
}
