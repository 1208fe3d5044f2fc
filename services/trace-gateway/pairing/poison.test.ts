import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SpanFact } from "#contract/traces.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seeded } from "#test/support/random.ts";
import { spanIdOf, traceIdOf } from "#test/support/traces/trace-cases.ts";
import { pack } from "../facts/index.ts";
import { PairingMetrics } from "./metrics.ts";
import { findCheckpoint } from "./store.ts";
import { counterOn, delivered, factsLog, storedTotals } from "./testing/harness.ts";

let t: TestDatabase;
beforeEach(async () => void (t = await testDatabase()));
afterEach(() => t.drop());

function served(service: string, rest: Partial<SpanFact> = {}): SpanFact {
  return {
    traceId: traceIdOf(service),
    spanId: spanIdOf(service),
    parentSpanId: null,
    kind: "server",
    service: { namespace: null, name: service, version: null },
    durationMicros: 1_000,
    error: false,
    operation: "GET /",
    peer: null,
    targets: [],
    link: null,
    ...rest,
  };
}

describe("PartitionCounter, given poison", () => {
  const pairing = { windowMs: 1_000, maxWaiting: 1_000 };

  it("leaves out the edge that the store will not take, and counts those next to it", async () => {
    const random = seeded(4);
    const character = () => String.fromCharCode(0x4e00 + Math.floor(random() * 20_000));
    // An index takes no row of so many bytes.
    const peer = Array.from({ length: 2_000 }, character).join("");
    const facts = [
      ...["a", "b", "c"].map((name) => served(name)),
      served("caller", { kind: "client", peer }),
      ...["d", "e"].map((name) => served(name)),
    ];
    const records = factsLog(pack(facts, 1), 10 * pairing.windowMs);
    const metrics = createMetrics();
    const given = { metrics: new PairingMetrics(metrics) };
    await counterOn(t.db, records, pairing, given).handle(records, delivered);
    expect(Object.keys(await storedTotals(t.db)).sort())
      .toEqual(["a", "b", "c", "d", "e"].map((name) => `? -> ${name} GET /`));
    expect((await findCheckpoint(t.db, 0))!.accounts).toMatchObject({ read: 6, waiting: 0 });
    expect((await metrics.exposition()).content)
      .toContain("tributary_traces_edges_refused_total 1");
  });

  it("refuses a record with texts that no fact has, and counts the next", async () => {
    const long = pack([served("x".repeat(3_000))], 1);
    const records = factsLog([...long, ...pack([served("a")], 1)], 10 * pairing.windowMs);
    const reasons: string[] = [];
    await counterOn(t.db, records, pairing, {
      refuse: (_record, { reason }) => Promise.resolve(void reasons.push(reason)),
    }).handle(records, delivered);
    expect(reasons).toEqual(["invalid_record"]);
    expect(Object.keys(await storedTotals(t.db))).toEqual(["? -> a GET /"]);
  });
});
