import { expect, it } from "vitest";
import { joinTexts, textOf } from "#contract/ingestion/drafts.ts";
import { parseDataEntityList } from "#contract/ingestion/batch.ts";
import { noMetrics } from "#kit/metrics.ts";
import { ReadChunkCache } from "#platform/batches-in-process.ts";
import { RecordReader } from "./reader.ts";
import { chunkIdentityOf } from "./stages/read.ts";
import { httpRecord, job, table } from "./testing/harness.ts";

const record = httpRecord([table("//b"), job("//a", ["//b"], [])], { batch: "posted" });
const identity = chunkIdentityOf(record);

/** Keeps a chunk of the batch, as the API does when it publishes it. */
function cachedChunk(body: Uint8Array) {
  const readChunks = new ReadChunkCache(noMetrics);
  const reader = new RecordReader(noMetrics, readChunks);
  const { data_source_catrn: sourceCatrn, items } = parseDataEntityList(record.value);
  const marked = items.map((item) => ({ ...item, name: `${item.name}, read before` }));
  const drafts = joinTexts(marked.map((item) => textOf(item)!));
  readChunks.keep("posted", 0, body, {
    sourceCatrn,
    itemCount: items.length,
    typeMismatches: 0,
    drafts,
  });
  return reader;
}

it("a record that this process read when it was posted is not read again", async () => {
  const freshlyRead = await new RecordReader(noMetrics).read(record.value, identity);
  const before = await cachedChunk(record.value).read(record.value, identity);
  const names = before.chunks[0]!.drafted().entities.map(({ item }) => item.name);
  expect(names.every((name) => name.endsWith("read before"))).toBe(true);
  expect({ ...before, chunks: [{ ...before.chunks[0]!, drafted: null }] })
    .toEqual({ ...freshlyRead, chunks: [{ ...freshlyRead.chunks[0]!, drafted: null }] });
  const catrns = (chunk: typeof freshlyRead) =>
    chunk.chunks[0]!.drafted().entities.map(({ catrn }) => catrn);
  expect(catrns(before)).toEqual(catrns(freshlyRead));
});

it("a record with the name of a posted batch but other bytes is read", async () => {
  const forged = httpRecord([{ catrn: "//a", name: 7 }], { batch: "posted" });
  const reader = cachedChunk(record.value);
  await expect(reader.read(forged.value, identity)).rejects.toMatchObject({
    reason: "invalid_items",
  });
});
