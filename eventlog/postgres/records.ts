import { Buffer } from "node:buffer";
import type pg from "pg";
import type { LogRecord } from "#eventlog/port.ts";
import type { PartitionedRecord } from "#eventlog/records.ts";
import type { CachedRange, OwnRecord } from "#eventlog/postgres/own-values.ts";
import * as sql from "#eventlog/postgres/queries.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import { unavailable } from "#kit/errors.ts";

/** Limits of one fetch; `to` is exclusive. */
interface FetchRange {
  topic: string;
  partition: number;
  from: number;
  to: number;
  maxRecords: number;
  maxBytes: number;
}

interface Row {
  offset: number;
  logged_at: number;
  envelope: string;
  size: number;
  /** Null if it was excluded by the query. */
  value: Uint8Array | null;
}

const none: CachedRange = { offsets: [], get: () => undefined };

/** Parameters of `append`: all values in one binary parameter, which needs no escaping. */
export function appendParameters(topic: string, records: PartitionedRecord[]): unknown[] {
  const values = records.map((r) => bufferOf(r.value));
  return [
    topic,
    records.map((r) => r.partition),
    records.map((r) => JSON.stringify({ key: r.key, headers: r.headers })),
    values.map((v) => v.byteLength),
    values.length === 1 ? values[0] : Buffer.concat(values),
  ];
}

/**
 * Reads records. Values that `own` has are not read but taken from there; when it turns out to lack some that were left
 * out for it, everything is requested again without these.
 */
export async function fetchRecords(
  db: Database,
  range: FetchRange,
  own: CachedRange = none,
): Promise<LogRecord[]> {
  const { topic, partition } = range;
  const records: LogRecord[] = [];
  const found = new Map<number, OwnRecord>();
  const rows = await rowsOf(db, range, own.offsets);
  for (const row of rows) {
    const { offset, logged_at: timestamp } = row;
    const { key, headers } = JSON.parse(row.envelope);
    const mine = row.value ? undefined : own.get(offset);
    if (mine && isThat(mine, { key, headers, size: row.size })) found.set(offset, mine);
    const value = row.value ?? found.get(offset)?.value;
    if (value) records.push({ topic, partition, offset, timestamp, key, headers, value });
  }
  if (records.length === rows.length) return records;
  return await fetchRecords(db, range, {
    offsets: [...found.keys()],
    get: (offset) => found.get(offset),
  });
}

/**
 * Whether the record is that of the row: after a database was set back to an earlier state, another may have its
 * offset.
 */
function isThat(
  own: OwnRecord,
  { key, headers, size }: Pick<LogRecord, "key" | "headers"> & { size: number },
): boolean {
  if (own.key !== key || own.value.byteLength !== size) return false;
  const names = Object.keys(headers);
  if (names.length !== Object.keys(own.headers).length) return false;
  // lookup-ok -- names that the record has itself
  return names.every((name) => own.headers[name] === headers[name]);
}

/** Decodes values by the engine's hex decoder (the driver's takes 50 times as long). */
async function rowsOf(
  db: Database,
  range: FetchRange,
  left: CachedRange["offsets"],
): Promise<Row[]> {
  const { topic, partition, from, to, maxRecords, maxBytes } = range;
  const leftOut = left === "any" ? null : bigints(left);
  try {
    const { rows } = await db.pool.query<Row & pg.QueryResultRow>({
      name: "log_fetch",
      text: sql.fetch,
      values: [topic, partition, from, to, maxRecords, maxBytes, leftOut],
      types: { getTypeParser: parserOf } as unknown as pg.CustomTypesConfig,
    });
    return rows;
  } catch (error) {
    if (classify(error) === "pause") throw unavailable("The event log is not available", 5, error);
    throw error;
  }
}

const int8 = 20;
const bytea = 17;
const int4 = 23;

function parserOf(type: number): (text: string) => unknown {
  if (type === int8 || type === int4) return Number;
  if (type === bytea) return (text) => fromHex(text.slice("\\x".length));
  return (text) => text;
}

type HexDecoder = { fromHex?: (hex: string) => Uint8Array };

function fromHex(hex: string): Uint8Array {
  return (Uint8Array as HexDecoder).fromHex?.(hex) ?? Buffer.from(hex, "hex");
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
