import { beforeEach, describe, expect, it, vi } from "vitest";
import { inspectJson } from "#contract/ingestion/inspect.ts";
import { noMetrics } from "#kit/metrics.ts";
import { prepareBatch } from "../batches/prepare.ts";
import { PreparePool } from "./pool.ts";
import { readBody } from "./read.ts";

vi.mock("#contract/ingestion/inspect.ts", async (original) => {
  const real = await original<typeof import("#contract/ingestion/inspect.ts")>();
  return { ...real, inspectJson: vi.fn(real.inspectJson) };
});
const inspected = vi.mocked(inspectJson);
beforeEach(() => void inspected.mockClear());

/** Number of bytes that were inspected. */
const bytesScanned = () => inspected.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const items = Array.from({ length: 20 }, (_, i) => ({
  oddrn: `//t/${i}`,
  name: `ünï ${i}`,
  type: "TABLE",
  dataset: { field_list: [], rows_number: null },
  metadata: [{ schema_url: "s", metadata: { id: 1 } }],
}));

describe("a body is inspected once", () => {
  const body = bytes({ data_source_oddrn: "//s", items });

  it("as a batch, whatever its spelling", () => {
    expect(prepareBatch(body).report.refused).toBe(0);
    expect(bytesScanned()).toBe(body.length);
  });

  it("as a batch that the pool reads at once", async () => {
    const pool = new PreparePool(noMetrics);
    expect((await pool.prepare(body)).chunks).toHaveLength(1);
    expect(bytesScanned()).toBe(body.length);
    pool.stop();
  });

  it("as any other body", () => {
    const sources = bytes({ provider_oddrn: "//p", items: [{ oddrn: "//s", name: "s" }] });
    readBody("datasources", sources);
    expect(bytesScanned()).toBe(sources.length);
  });
});
