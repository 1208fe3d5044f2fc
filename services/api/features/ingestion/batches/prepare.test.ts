import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { prepareBatch } from "./prepare.ts";

const source = "//test/prepare";

function tables(count: number, bytesEach: number): Uint8Array {
  const items = Array.from({ length: count }, (_, n) => ({
    catrn: `${source}/tables/${n}`,
    name: `t${n}`,
    type: "TABLE",
    description: "d".repeat(bytesEach),
    dataset: { field_list: [] },
  }));
  return Buffer.from(JSON.stringify({ data_source_catrn: source, items }));
}

const counts = (body: Uint8Array, withDrafts: boolean) =>
  prepareBatch(body, undefined, withDrafts).chunks.map((
    { indexes, read },
  ) => [indexes.length, read?.itemCount]);

it("makes large chunks only where a consumer need not read them again", () => {
  expect(counts(tables(25, 100_000), false)).toEqual([
    [8, undefined],
    [8, undefined],
    [8, undefined],
    [1, undefined],
  ]);
  expect(counts(tables(25, 100_000), true)).toEqual([[25, 25]]);
  expect(counts(tables(32, 100_000), true)).toEqual([[29, 29], [3, 3]]);
});
