import { expect, it } from "vitest";
import { staleContext } from "#services/housekeeping/testing/stale.ts";
import { sweepStale } from "#services/housekeeping/expiry.ts";
import { journey } from "#test/acceptance/client.ts";

const source = "//airflow/host/stale";
const day = 86_400_000;
const items = [
  { catrn: `${source}/a`, name: "a", type: "TABLE", dataset: { field_list: [] } },
  {
    catrn: `${source}/load`,
    name: "load",
    type: "JOB",
    data_transformer: { inputs: [`${source}/a`], outputs: [] },
  },
];

journey("what a collector no longer brings", (client) => {
  /** Sweeps twenty days from now, the source having been seen in each half of the ten days before. */
  async function sweep(act: "edges" | "delete"): Promise<void> {
    const { db } = client().instance.test;
    const at = Date.now() + 20 * day;
    for (const ago of [1, 9]) {
      await db.query(
        "INSERT INTO data_source_seen SELECT id, $2 FROM data_source WHERE catrn = $1",
        [source, new Date(at - ago * day)],
      );
    }
    const stale = { sources: [{ source, after: "10 d", act }] };
    for await (const _ of sweepStale(staleContext(db, stale, []), new Date(at)));
  }
  const edges = async () =>
    (await client().lineage(await client().id(`${source}/a`), "downstream")).edges;
  const shows = (expected: string[]) => expect.poll(edges).toEqual(expected);

  it("loses its edges, until it is brought again", async () => {
    await client().register(source);
    await client().ingest(source, ...items);
    await shows(["a>load"]);
    await sweep("edges");
    await shows([]);
    await client().ingest(source, ...items);
    await shows(["a>load"]);
  });

  it("is deleted, until it is brought again", async () => {
    const id = await client().id(`${source}/load`);
    const status = async () => (await client().get(`/api/dataentities/${id}`)).json.status?.status;
    await sweep("delete");
    expect(await status()).toBe("DELETED");
    await client().ingest(source, ...items);
    expect(await status()).toBe("UNASSIGNED");
    await shows(["a>load"]);
  });
});
