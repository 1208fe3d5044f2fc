import { tracesSpans } from "#contract/topics.ts";
import { spansHeaders, spansVersion, tickType } from "#contract/traces.ts";
import type { EventLog, LogRecord, NewRecord } from "#eventlog/port.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Arrival } from "#test/support/traces/trace-cases.ts";
import { factsOf, pack } from "../../facts/index.ts";
import type { ResourceSpans } from "../../otlp/decoding.ts";
import type { Edge } from "../observations.ts";
import { PairingMetrics } from "../metrics.ts";
import type { PairingOptions } from "../pairing.ts";
import { PartitionCounter, type PartitionOptions } from "../partition.ts";

/** Calls and errors by the text of their edge. */
export type Totals = Record<string, { calls: number; errors: number }>;

const noon = Date.UTC(2031, 4, 5, 12);

export interface LogOptions {
  together: boolean;
  windowMs: number;
  /** Offsets leave gaps, as an engine's may. */
  gaps?: boolean;
}

/** Puts arrivals into records of partition 0, each by itself or those of one time together. */
export function logOf(
  arrivals: Arrival[],
  { together, windowMs, gaps = false }: LogOptions,
): { records: LogRecord[]; irrelevant: number } {
  const values: { at: number; spans: ResourceSpans[] }[] = [];
  for (const { at, span } of arrivals) {
    const last = values.at(-1);
    if (together && last?.at === at) last.spans.push(span);
    else values.push({ at, spans: [span] });
  }
  const records: LogRecord[] = [];
  const next = () => 100 + (gaps ? 3 : 1) * records.length;
  let irrelevant = 0;
  for (const { at, spans } of values) {
    const made = factsOf(spans);
    irrelevant += made.irrelevant;
    for (const { value, headers } of pack(made.facts, 1)) {
      records.push(recordAt(next(), noon + at * 1_000, value, headers));
    }
  }
  records.push(tickAfter(records, next(), windowMs));
  return { records, irrelevant };
}

/** Packed records of one time, and one that lets all that waits expire. */
export function factsLog(packed: NewRecord[], windowMs: number): LogRecord[] {
  const records = packed.map(({ value, headers }, i) => recordAt(100 + i, noon, value, headers));
  return [...records, tickAfter(records, 100 + records.length, windowMs)];
}

function tickAfter(records: LogRecord[], offset: number, windowMs: number): LogRecord {
  const end = (records.at(-1)?.timestamp ?? noon) + 10 * windowMs;
  const headers = { [spansHeaders.type]: tickType, [spansHeaders.version]: spansVersion };
  return recordAt(offset, end, new Uint8Array(), headers);
}

/** A record of partition 0. */
function recordAt(
  offset: number,
  timestamp: number,
  value: Uint8Array,
  headers: Record<string, string>,
): LogRecord {
  return {
    topic: tracesSpans,
    partition: 0,
    offset,
    key: null,
    value,
    headers,
    timestamp,
  };
}

/** A log of one partition in memory, as far as counting reads it. */
export function memoryLog(records: LogRecord[]): EventLog {
  const end = (records.at(-1)?.offset ?? 99) + 1;
  const log: Pick<EventLog, "read" | "bounds"> = {
    read: (_topic, { from, to = Infinity, limit }) =>
      Promise.resolve(
        records.filter(({ offset }) => offset >= from && offset < to).slice(0, limit),
      ),
    bounds: () => Promise.resolve([{ partition: 0, start: 100, end }]),
  };
  return log as EventLog;
}

/** A worker on partition 0 of `records`. */
export function counterOn(
  db: Database,
  records: LogRecord[],
  pairing: PairingOptions,
  rest: Partial<PartitionOptions> = {},
): PartitionCounter {
  return new PartitionCounter(0, {
    db,
    events: memoryLog(records),
    log: silentLogger,
    metrics: new PairingMetrics(noMetrics),
    pairing,
    maxRows: 5_000,
    refuse: () => Promise.resolve(),
    ...rest,
  });
}

/** A delivery that nobody takes away. */
export const delivered = {
  signal: new AbortController().signal,
  done: () => Promise.resolve(),
};

/** An edge as the cases write it. */
export function edgeText({ kind, service, peer, operation, data }: Edge): string {
  const own = service ? named(service) : "?";
  if (kind === "call") {
    const other = peer?.kind === "host" ? `[${peer.name}]` : peer ? named(peer) : "?";
    return `${own} -> ${other} ${operation ?? ""}`.trim();
  }
  const place = [data?.system, data?.address, kind === "topic" ? undefined : data?.database];
  const words = [...place.filter((word) => word !== undefined), data?.target];
  const what = words.map((word) => word ?? "-").join(" ");
  return `${own} ${data?.access}s ${kind === "topic" ? "topic " : ""}${what}`;
}

function named({ namespace, name }: { namespace: string | null; name: string }): string {
  return namespace === null ? name : `${namespace}/${name}`;
}

type EdgeRow = {
  kind: Edge["kind"];
  service_namespace: string | null;
  service_name: string | null;
  peer_kind: "service" | "host" | null;
  peer_namespace: string | null;
  peer_name: string | null;
  operation: string | null;
  system: string | null;
  address: string | null;
  database: string | null;
  target: string | null;
  access: "read" | "write" | null;
  calls: number;
  errors: number;
};

/** What stands in `service_edge`. */
export async function storedTotals(db: Database): Promise<Totals> {
  const rows = await db.query<EdgeRow>("SELECT * FROM service_edge");
  return Object.fromEntries(
    rows.map((row) => [edgeText(edgeOf(row)), { calls: row.calls, errors: row.errors }]),
  );
}

function edgeOf(row: EdgeRow): Edge {
  const { kind, operation, system, address, database, target, access } = row;
  const named = (namespace: string | null, name: string) => ({ namespace, name, version: null });
  return {
    kind,
    operation,
    service: row.service_name === null ? null : named(row.service_namespace, row.service_name),
    peer: row.peer_name === null || row.peer_kind === null
      ? null
      : { kind: row.peer_kind, ...named(row.peer_namespace, row.peer_name) },
    data: kind === "call" || system === null || access === null
      ? null
      : { kind, system, address, database, target, access },
  };
}
