import { describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { maxCachedBytes, type ReadChunk, ReadChunkCache } from "#platform/batches-in-process.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const read: ReadChunk = { sourceCatrn: "//s", itemCount: 1, typeMismatches: 0, drafts: "drafts" };
const wanted = () => {
  const chunks = new ReadChunkCache(noMetrics);
  chunks.want();
  return chunks;
};

describe("ReadChunkCache", () => {
  it("gives what was read of a chunk once, for the very bytes that were read", () => {
    const chunks = wanted();
    chunks.keep("b", 0, bytes("body"), read);
    expect(chunks.take("b", 1, bytes("body"))).toBeUndefined();
    expect(chunks.take("c", 0, bytes("body"))).toBeUndefined();
    expect(chunks.take("b", 0, bytes("bodi"))).toBeUndefined();
    expect(chunks.take("b", 0, bytes("body+"))).toBeUndefined();
    expect(chunks.take("b", 0, bytes("body"))).toBe(read);
    expect(chunks.take("b", 0, bytes("body"))).toBeUndefined();
  });

  it("keeps nothing where no consumer runs, nor after the request has ended", () => {
    const unwanted = new ReadChunkCache(noMetrics);
    unwanted.keep("b", 0, bytes("body"), read);
    expect(unwanted.open).toBe(false);
    expect(unwanted.take("b", 0, bytes("body"))).toBeUndefined();
    const chunks = wanted();
    chunks.keep("b", 0, bytes("body"), read);
    chunks.keep("b", 1, bytes("body"), read);
    chunks.forget("b");
    expect(chunks.take("b", 0, bytes("body"))).toBeUndefined();
    expect(chunks.take("b", 1, bytes("body"))).toBeUndefined();
  });

  it("holds no more than its limit, and holds again what was given back", () => {
    const chunks = wanted();
    const half = new Uint8Array(maxCachedBytes / 2 + 1);
    chunks.keep("a", 0, half, read);
    expect(chunks.open).toBe(true);
    chunks.keep("b", 0, half, read);
    expect(chunks.take("b", 0, half)).toBeUndefined();
    expect(chunks.take("a", 0, half)).toBe(read);
    chunks.keep("b", 0, half, read);
    expect(chunks.take("b", 0, half)).toBe(read);
  });
});
