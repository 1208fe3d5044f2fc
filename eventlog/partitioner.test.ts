import kafkajs from "kafkajs";
import { describe, expect, it } from "vitest";
import { murmur2, partitionOf, Spread } from "#eventlog/records.ts";

describe("partitionOf", () => {
  it("agrees with the values of Kafka's own test of murmur2", () => {
    const known: [string, number][] = [
      ["21", -973932308],
      ["foobar", -790332482],
      ["a-little-bit-long-string", -985981536],
      ["a-little-bit-longer-string", -1486304829],
      ["lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971],
      ["abc", 479470107],
    ];
    for (const [text, hash] of known) expect(murmur2(new TextEncoder().encode(text))).toBe(hash);
  });

  it("agrees with the Kafka client for keys of every length and alphabet", () => {
    const choose = kafkajs.Partitioners.DefaultPartitioner();
    for (let i = 0; i < 500; i++) {
      const key = "//żółw/🐢/".repeat(i % 7) + "x".repeat(i % 13) + i;
      const partitionMetadata = Array.from({ length: 7 }, (_, partitionId) => ({
        partitionId,
        leader: 1,
        partitionErrorCode: 0,
        replicas: [1],
        isr: [1],
      }));
      const theirs = choose({ topic: "t", partitionMetadata, message: { key, value: "" } });
      expect(partitionOf(key, 7), key).toBe(theirs);
    }
  });
});

describe("Spread", () => {
  it("chooses the partitions in rotation", () => {
    const spread = new Spread();
    const seen = Array.from({ length: 12 }, () => spread.next(4));
    for (let p = 0; p < 4; p++) expect(seen.filter((s) => s === p)).toHaveLength(3);
  });
});
