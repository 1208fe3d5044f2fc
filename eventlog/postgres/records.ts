import { Buffer } from "node:buffer";
import type pg from "pg";
import type { LogRecord } from "#eventlog/port.ts";
import type { PlacedRecord } from "#eventlog/records.ts";
import * as sql from "#eventlog/postgres/queries.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import { unavailable } from "#kit/errors.ts";

/** Limits of one fetch; `to` is exclusive. */
export interface FetchRange {
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
  value: Uint8Array;
}

/** Parameters of `append`: all values in one binary parameter, which needs no escaping. */
export function appendParameters(topic: string, records: PlacedRecord[]): unknown[] {
  const values = records.map((r) => bufferOf(r.value));
  return [
    topic,
    records.map((r) => r.partition),
    records.map((r) => JSON.stringify({ key: r.key, headers: r.headers })),
    values.map((v) => v.byteLength),
    values.length === 1 ? values[0] : Buffer.concat(values),
  ];
}

/** Reads records; decodes values by the engine's hex decoder (the driver's takes 50 times as long). */
export async function fetchRecords(db: Database, range: FetchRange): Promise<LogRecord[]> {
  const { topic, partition } = range;
  const query = {
    name: "log_fetch",
    text: sql.fetch,
    values: [topic, partition, range.from, range.to, range.maxRecords, range.maxBytes],
    types: { getTypeParser: parserOf } as unknown as pg.CustomTypesConfig,
  };
  const rows = await run(db, query);
  return rows.map((row) => {
    const { key, headers } = JSON.parse(row.envelope);
    return {
      topic,
      partition,
      offset: row.offset,
      timestamp: row.logged_at,
      key,
      headers,
      value: row.value,
    };
  });
}

async function run(db: Database, query: pg.QueryConfig): Promise<Row[]> {
  try {
    return (await db.pool.query<Row & pg.QueryResultRow>(query)).rows;
  } catch (error) {
    if (classify(error) === "pause") throw unavailable("The event log is not available", 5, error);
    throw error;
  }
}

const int8 = 20;
const bytea = 17;

function parserOf(type: number): (text: string) => unknown {
  if (type === int8) return Number;
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
