import { expect, it } from "vitest";
import { joinTexts, textOf } from "#contract/ingestion/drafts.ts";
import { parseDataEntityList } from "#contract/ingestion/batch.ts";
import { noMetrics } from "#kit/metrics.ts";
import { ReadParts } from "#platform/read-parts.ts";
import { RecordReader } from "./reader.ts";
import { partIdentityOf } from "./stages/decode.ts";
import { httpRecord, job, table } from "./testing/harness.ts";

const record = httpRecord([table("//b"), job("//a", ["//b"], [])], { batch: "posted" });
const identity = partIdentityOf(record);

/** Keeps a part of the batch, as the API does when it publishes it. */
function kept(body: Uint8Array) {
  const readParts = new ReadParts(noMetrics);
  const reader = new RecordReader(noMetrics, readParts);
  const { data_source_catrn: sourceCatrn, items } = parseDataEntityList(record.value);
  const marked = items.map((item) => ({ ...item, name: `${item.name}, read before` }));
  const drafts = joinTexts(marked.map((item) => textOf(item)!));
  readParts.keep("posted", 0, body, { sourceCatrn, items: items.length, misfits: 0, drafts });
  return reader;
}

it("a record that this process read when it was posted is not read again", async () => {
  const anew = await new RecordReader(noMetrics).read(record.value, identity);
  const before = await kept(record.value).read(record.value, identity);
  const names = before.slices[0]!.drafted().entities.map(({ item }) => item.name);
  expect(names.every((name) => name.endsWith("read before"))).toBe(true);
  expect({ ...before, slices: [{ ...before.slices[0]!, drafted: null }] })
    .toEqual({ ...anew, slices: [{ ...anew.slices[0]!, drafted: null }] });
  const catrns = (part: typeof anew) =>
    part.slices[0]!.drafted().entities.map(({ catrn }) => catrn);
  expect(catrns(before)).toEqual(catrns(anew));
});

it("a record with the name of a posted batch but other bytes is read", async () => {
  const forged = httpRecord([{ catrn: "//a", name: 7 }], { batch: "posted" });
  const reader = kept(record.value);
  await expect(reader.read(forged.value, identity)).rejects.toMatchObject({
    reason: "invalid_items",
  });
});
