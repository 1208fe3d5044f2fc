import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seeded } from "#test/support/random.ts";
import { type Arrival, type TraceCase, traceCases } from "#test/support/traces/trace-cases.ts";
import { noAccounting, SpanPairer } from "./pairing.ts";
import { readFacts } from "./partition.ts";
import { findCheckpoint } from "./store.ts";
import {
  counterOn,
  delivered,
  edgeText,
  logOf,
  storedTotals,
  type Totals,
} from "./testing/harness.ts";

const maxWaiting = 100_000;
const cases = ["calls.yaml", "data.yaml"].flatMap(traceCases);

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

/** The given order, its reverse, and more of them: all there are of up to four spans. */
function orders({ arrivals, permutable }: TraceCase): Arrival[][] {
  if (!permutable) return [arrivals];
  if (arrivals.length <= 4) return permutations(arrivals);
  const random = seeded(4);
  const shuffled = () =>
    arrivals.map((arrival) => ({ arrival, rank: random() })).sort((a, b) => a.rank - b.rank)
      .map(({ arrival }) => arrival);
  const more = arrivals.length > 100 ? 3 : 30;
  return [arrivals, arrivals.toReversed(), ...Array.from({ length: more }, shuffled)];
}

function permutations<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, i) =>
    permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest])
  );
}

function expected({ accounts }: TraceCase) {
  return { ...noAccounting(), ...accounts };
}

describe.each(cases)("pairing: $name", (testCase) => {
  const windowMs = testCase.window * 1_000;

  it.each([true, false])("in any order, together: %s", (together) => {
    for (const arrivals of orders(testCase)) {
      const { records, irrelevant } = logOf(arrivals, { together, windowMs });
      expect(irrelevant).toBe(testCase.irrelevant);
      const pairing = new SpanPairer({ windowMs, maxWaiting }, 0);
      const totals: Totals = {};
      const sink: Parameters<SpanPairer["add"]>[2] = ({ edge, error }) => {
        const total = totals[edgeText(edge)] ??= { calls: 0, errors: 0 };
        total.calls++;
        total.errors += error ? 1 : 0;
      };
      for (const record of records) {
        pairing.advance(record.timestamp, sink);
        const facts = readFacts(record);
        if (facts instanceof Error) throw facts;
        facts.forEach((fact, index) => pairing.add(fact, { offset: record.offset, index }, sink));
      }
      expect(totals).toEqual(testCase.edges);
      expect(pairing.takeCounts()).toEqual(expected(testCase));
    }
  });

  it("through PostgreSQL, with its checkpoint", async () => {
    await t.db.query("TRUNCATE service_edge, service_edge_window, span_checkpoint");
    const { records } = logOf(testCase.arrivals, { together: false, windowMs, gaps: true });
    const counter = counterOn(t.db, records, { windowMs, maxWaiting });
    for (const batch of chunks(records, 700)) await counter.handle(batch, delivered);
    expect(await storedTotals(t.db)).toEqual(testCase.edges);
    const checkpoint = await findCheckpoint(t.db, 0);
    expect(checkpoint?.accounts).toEqual(expected(testCase));
    const [windows] = await t.db.query<{ calls: number }>(
      "SELECT coalesce(sum(calls), 0)::bigint AS calls FROM service_edge_window",
    );
    const calls = Object.values(testCase.edges).reduce((sum, edge) => sum + edge.calls, 0);
    expect(windows?.calls).toBe(calls);
  });
});

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from(
    { length: Math.ceil(items.length / size) },
    (_, i) => items.slice(i * size, (i + 1) * size),
  );
}
