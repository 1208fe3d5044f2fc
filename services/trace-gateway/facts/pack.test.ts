import { describe, expect, it } from "vitest";
import type { SpanFact } from "#contract/traces.ts";
import { partitionOf } from "#eventlog/partitioner.ts";
import { seeded } from "#test/support/random.ts";
import { Traffic } from "#test/support/trace-traffic.ts";
import { factsOf, pack, unpack } from "./index.ts";

describe("pack", () => {
  const source = new Traffic(seeded(21));
  const facts = factsOf(Array.from({ length: 200 }, () => source.trace()).flat()).facts;
  const bySpan = (a: SpanFact, b: SpanFact) => (a.spanId < b.spanId ? -1 : 1);

  it("loses nothing, and unpack reads what it wrote", () => {
    const records = pack(facts, 6);
    expect(new Set(records.map((r) => r.partition)).size).toBe(records.length);
    expect(records.flatMap(unpack).sort(bySpan)).toEqual(facts.toSorted(bySpan));
  });

  it("puts a trace, and consumers that follow it, into one partition", () => {
    for (const record of pack(facts, 6)) {
      for (const fact of unpack(record)) {
        expect(partitionOf(fact.link?.traceId ?? fact.traceId, 6)).toBe(record.partition);
      }
    }
  });

  it("splits what is larger than a record may be", () => {
    const records = pack(facts, 1, 4_000);
    expect(records.every(({ value }) => value.byteLength <= 4_000)).toBe(true);
    expect(records.flatMap(unpack)).toEqual(facts);
    const many = Array.from({ length: 11_000 }, () => facts[0]!);
    expect(pack(many, 1).map((record) => unpack(record).length)).toEqual([5_000, 3_000, 3_000]);
  });

  it.each([
    ["not json", "1", "invalid_record"],
    ["{}", "1", "invalid_record"],
    ["{}", "2", "unknown_version"],
  ])("unpack refuses %s of version %s", (text, version, reason) => {
    const record = {
      value: new TextEncoder().encode(text),
      headers: { type: "traces.spans", version },
    };
    expect(() => unpack(record)).toThrow(expect.objectContaining({ reason }));
  });

  it("unpack refuses columns of different length, references to nothing and NUL", () => {
    const [record] = pack(facts.slice(0, 3), 1);
    const value = JSON.parse(new TextDecoder().decode(record!.value));
    const broken = [
      { ...value, span: value.span.slice(1) },
      { ...value, service: [99, 99, 99] },
      { ...value, strings: value.strings.map(() => "\u0000") },
    ];
    for (const one of broken) {
      const bytes = new TextEncoder().encode(JSON.stringify(one));
      expect(() => unpack({ ...record!, value: bytes }))
        .toThrow(expect.objectContaining({ reason: "invalid_record" }));
    }
  });
});
