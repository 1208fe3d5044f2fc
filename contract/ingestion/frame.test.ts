import { describe, expect, it } from "vitest";
import { bodyAround, frameHeaders, identityOf, refuseForeign } from "./frame.ts";
import { scanBatch } from "./parse.ts";

const at = { topic: "t", partition: 2, offset: 7, timestamp: 1_000 };

describe("the frame of a batch", () => {
  it("is read as it was written", () => {
    const identity = { batch: "0190-x", part: 3, parts: 12, receivedAt: 999 };
    const record = { ...at, headers: frameHeaders(identity) };
    expect(() => refuseForeign(record)).not.toThrow();
    expect(identityOf(record, 2_000)).toEqual(identity);
  });

  it("may be missing: then the place in the log stands for it", () => {
    expect(identityOf({ ...at, headers: {} }, 2_000))
      .toEqual({ batch: "t/2/7", part: 0, parts: 1, receivedAt: 1_000 });
  });

  it("stands around the items of a body, whatever the source is called", () => {
    const { head, tail } = bodyAround('//a"b\\ü');
    const scanned = scanBatch(new TextEncoder().encode(`${head}1,2${tail}`));
    expect(scanned).toMatchObject({ dataSourceCatrn: '//a"b\\ü' });
    expect(scanned.items).toHaveLength(2);
  });
});
