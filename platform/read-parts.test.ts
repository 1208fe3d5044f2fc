import { describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { maxHeldBytes, type ReadPart, ReadParts } from "#platform/read-parts.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const read: ReadPart = { sourceCatrn: "//s", items: 1, misfits: 0, drafts: "drafts" };
const wanted = () => {
  const parts = new ReadParts(noMetrics);
  parts.want();
  return parts;
};

describe("ReadParts", () => {
  it("gives what was read of a part once, for the very bytes that were read", () => {
    const parts = wanted();
    parts.keep("b", 0, bytes("body"), read);
    expect(parts.take("b", 1, bytes("body"))).toBeUndefined();
    expect(parts.take("c", 0, bytes("body"))).toBeUndefined();
    expect(parts.take("b", 0, bytes("bodi"))).toBeUndefined();
    expect(parts.take("b", 0, bytes("body+"))).toBeUndefined();
    expect(parts.take("b", 0, bytes("body"))).toBe(read);
    expect(parts.take("b", 0, bytes("body"))).toBeUndefined();
  });

  it("keeps nothing where no consumer runs, nor after the request has ended", () => {
    const unwanted = new ReadParts(noMetrics);
    unwanted.keep("b", 0, bytes("body"), read);
    expect(unwanted.open).toBe(false);
    expect(unwanted.take("b", 0, bytes("body"))).toBeUndefined();
    const parts = wanted();
    parts.keep("b", 0, bytes("body"), read);
    parts.keep("b", 1, bytes("body"), read);
    parts.forget("b");
    expect(parts.take("b", 0, bytes("body"))).toBeUndefined();
    expect(parts.take("b", 1, bytes("body"))).toBeUndefined();
  });

  it("holds no more than its limit, and holds again what was given back", () => {
    const parts = wanted();
    const half = new Uint8Array(maxHeldBytes / 2 + 1);
    parts.keep("a", 0, half, read);
    expect(parts.open).toBe(true);
    parts.keep("b", 0, half, read);
    expect(parts.take("b", 0, half)).toBeUndefined();
    expect(parts.take("a", 0, half)).toBe(read);
    parts.keep("b", 0, half, read);
    expect(parts.take("b", 0, half)).toBe(read);
  });
});
