import { expect, it, vi } from "vitest";
import { inspectJson } from "#contract/ingestion/inspect.ts";
import { noMetrics } from "#kit/metrics.ts";
import { RecordReader } from "./reader.ts";
import { chunkIdentityOf } from "./stages/read.ts";
import { directRecord, source } from "./testing/harness.ts";

vi.mock("#contract/ingestion/inspect.ts", async (original) => {
  const real = await original<typeof import("#contract/ingestion/inspect.ts")>();
  return { ...real, inspectJson: vi.fn(real.inspectJson) };
});

it("a record is inspected once, whatever its spelling", async () => {
  const items = Array.from(
    { length: 20 },
    (_, i) => ({ oddrn: `//t/${i}`, name: "t", type: "JOB" }),
  );
  const jobs = items.map((item) => ({ ...item, data_transformer: { inputs: [], outputs: [] } }));
  const record = directRecord({ data_source_oddrn: source, items: jobs });
  const reader = new RecordReader(noMetrics);
  const { chunks } = await reader.read(record.value, chunkIdentityOf(record));
  expect(chunks[0]!.indexes).toHaveLength(20);
  const bytesScanned = vi.mocked(inspectJson).mock.calls.reduce((sum, [b]) => sum + b.length, 0);
  expect(bytesScanned).toBe(record.value.length);
  reader.stop();
});
