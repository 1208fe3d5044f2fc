import { expect } from "vitest";
import { tracesSpans } from "#contract/topics.ts";
import type { SpanFact } from "#contract/traces.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Database, Row } from "#metadata/postgres/database.ts";
import { unpack } from "#services/trace-gateway/facts/index.ts";
import { accounts, type SpanAccounting } from "#services/trace-gateway/pairing/pairing.ts";
import { storedTotals, type Totals } from "#services/trace-gateway/pairing/testing/harness.ts";
import { eventually } from "../eventually.ts";
import type { Load } from "./trace-load.ts";
import { type EdgeTotals, reference, type TimedFact } from "./trace-reference.ts";

type Checkpoint = Row & SpanAccounting & { partition: number; next_offset: number };

/** Where a log of spans and its counting are to be found. */
export interface SpanAccounts {
  events: EventLog;
  db: Database;
}

/** Waits until everything that is in the log of spans is counted. Nobody helps. */
export async function allCounted({ events, db }: SpanAccounts, within = 60_000): Promise<void> {
  const behind = async () => {
    const next = new Map((await checkpoints(db)).map((row) => [row.partition, row.next_offset]));
    return (await events.bounds(tracesSpans)).filter(({ partition, start, end }) =>
      end > start && (next.get(partition) ?? start) < end
    );
  };
  await eventually(async () => expect(await behind()).toEqual([]), { within, describe: behind });
}

/**
 * Expects of all that is counted that the accounts of each partition sum up, and that accounts and
 * edges are what one pass over the very facts in the log comes to; tells the accounts in all.
 */
export async function expectExact(
  { events, db }: SpanAccounts,
  windowMs: number,
): Promise<SpanAccounting> {
  const { rows, totals } = await snapshot(db);
  const sum: EdgeTotals = {};
  const all = Object.fromEntries(accounts.map((name) => [name, 0])) as unknown as SpanAccounting;
  for (const row of rows) {
    const { facts, until } = await timedFacts(events, row.partition, row.next_offset);
    const expected = reference(facts, { windowMs, until });
    const found = Object.fromEntries(accounts.map((name) => [name, row[name]]));
    expect([row.partition, found]).toEqual([row.partition, expected.accounts]);
    expect(row.read).toBe(
      2 * row.paired + row.standalone + row.expired + row.duplicate + row.irrelevant + row.waiting,
    );
    for (const [edge, { calls, errors }] of Object.entries(expected.totals)) {
      const total = sum[edge] ??= { calls: 0, errors: 0 };
      total.calls += calls;
      total.errors += errors;
    }
    for (const name of accounts) all[name] += row[name];
  }
  expect(totals).toEqual(sum);
  return all;
}

/** Expects that every span that was answered with success is in the log. */
export async function expectLogged(
  { events }: Pick<SpanAccounts, "events">,
  { answered }: Load,
): Promise<void> {
  const logged = new Set<string>();
  for (const { partition, end } of await events.bounds(tracesSpans)) {
    const { facts } = await timedFacts(events, partition, end);
    for (const { fact } of facts) logged.add(keyOf(fact));
  }
  expect([...answered].filter((key) => !logged.has(key))).toEqual([]);
}

const keyOf = ({ kind, traceId, spanId }: SpanFact) => `${kind} ${traceId} ${spanId}`;

function checkpoints(db: Database): Promise<Checkpoint[]> {
  return db.query<Checkpoint>("SELECT * FROM span_checkpoint ORDER BY partition");
}

/** Checkpoints and edges of one moment: edges change only together with a checkpoint. */
async function snapshot(db: Database): Promise<{ rows: Checkpoint[]; totals: Totals }> {
  for (;;) {
    const before = await checkpoints(db);
    const totals = await storedTotals(db);
    const rows = await checkpoints(db);
    if (rows.every((row, at) => row.next_offset === before[at]?.next_offset)) {
      return { rows, totals };
    }
  }
}

/** The facts of a partition before an offset, with the time of the partition at each. */
async function timedFacts(events: EventLog, partition: number, to: number) {
  const facts: TimedFact[] = [];
  let until = 0;
  for (let from = 0; from < to;) {
    const records = await events.read(tracesSpans, { partition, from, to, limit: 5_000 });
    if (records.length === 0) break;
    for (const record of records) {
      until = Math.max(until, record.timestamp);
      for (const fact of unpack(record)) facts.push({ fact, at: until });
    }
    from = records.at(-1)!.offset + 1;
  }
  return { facts, until };
}
