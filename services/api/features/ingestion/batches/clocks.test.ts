import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

const source = "//clocks/source";
const minute = 60_000;

describe("a clock of a process that jumps", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance("embedded");
    const items = [{ catrn: source, name: "clocks" }];
    await instance.send("POST", "/ingestion/datasources", { items });
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => instance?.stop());

  const jump = (ms: number) => {
    const { now } = Date;
    vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
  };
  const post = async (catrn: string, name: string) => {
    const response = await instance.send("POST", "/ingestion/entities", {
      data_source_catrn: source,
      items: [{ catrn, name, type: "TABLE", dataset: { field_list: [] } }],
    });
    expect([response.status, response.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
  };
  const names = async (catrn: string) => {
    const rows = await instance.test.db.query<{ name: string }>(
      "SELECT external_name AS name FROM data_entity WHERE catrn = $1",
      [catrn],
    );
    return rows.map(({ name }) => name);
  };

  it.each([4, 10, -4, -10])(
    "by %d minutes and back: what a collector posts later is what the catalogue has",
    async (minutes) => {
      const catrn = `${source}/tables/t${minutes}`;
      await post(catrn, "before");
      jump(minutes * minute);
      await post(catrn, "meanwhile");
      expect(await names(catrn)).toEqual(["meanwhile"]);
      vi.restoreAllMocks();
      await post(catrn, "after");
      expect(await names(catrn)).toEqual(["after"]);
    },
  );
});
