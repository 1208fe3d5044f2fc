import { describe, expect, it } from "vitest";
import type { Answer } from "#test/support/http/api.ts";
import { ago, nodeOf, pairsOf, pastLineage } from "./testing/past-lineage.ts";

const p = pastLineage();

describe("a root as of a time", () => {
  const absent = ({ status, json }: Answer) => [status, ...json.details.map((d: object) => d)];

  it("that was not created yet is 404 telling when it was, unless an edge already touched it", async () => {
    const { a, b } = await p.two();
    await p.write.created([a], ago(10));
    expect(absent(await p.down(a, ago(10, -1)))).toEqual([
      404,
      { field: "created_at", message: ago(10) },
    ]);
    expect((await p.down(a, ago(10))).status).toBe(200);
    await p.write.declared([a, a, b], ago(12));
    expect((await p.down(a, ago(12))).status).toBe(200);
    expect((await p.down(a, ago(12, -1))).status).toBe(404);
  });

  it("that was deleted then is 404 telling since when, and is there again when it was restored", async () => {
    const { a, b } = await p.two();
    await p.write.declared([b, a, b], ago(20));
    await p.write.deleted(a, ago(10), ago(5));
    const gone = [404, { field: "deleted_since", message: ago(10) }];
    expect(absent(await p.down(a, ago(10)))).toEqual(gone);
    expect(absent(await p.down(a, ago(5, -1)))).toEqual(gone);
    for (const time of [ago(10, -1), ago(5)]) expect((await p.down(a, time)).status).toBe(200);
  });

  it("that is deleted now is answered with its status and since when", async () => {
    const { a, b } = await p.two();
    await p.write.declared([b, a, b], ago(20));
    await p.write.deleted(a, ago(10));
    const { status, json } = await p.down(a, ago(11));
    expect([status, json.root.status.status, json.root.deleted_since])
      .toEqual([200, "DELETED", ago(10)]);
    expect(json.downstream.edges).toHaveLength(1);
    expect((await p.get(`/api/dataentities/${a}/lineage/downstream`)).status).toBe(404);
  });

  it("that was purged since is shown as it was called; 404 from the purge on", async () => {
    const { a, b } = await p.two();
    await p.write.ended([b, a, b], ago(20), ago(8));
    await p.write.deleted(a, ago(9), ago(8));
    await p.write.purged(a, ago(8), "//gone/a", "orders");
    const { json } = await p.down(a, ago(10));
    expect(json.root).toMatchObject({
      catrn: "//gone/a",
      internal_name: "orders",
      purged: true,
      status: { status: "DELETED" },
    });
    expect(absent(await p.down(a, ago(8)))).toEqual([404, { field: "purged_at", message: ago(8) }]);
    expect(absent(await p.down(a, ago(9))))
      .toEqual([404, { field: "deleted_since", message: ago(9) }]);
  });

  it("that nobody knows is 404", async () => {
    expect((await p.down(999_999_999, ago(1))).status).toBe(404);
  });
});

describe("a node as of a time", () => {
  it("known only by its CATRN then shows the name it has now", async () => {
    const { a, b } = await p.two();
    await p.write.declared([b, a, b], ago(20));
    expect(nodeOf(await p.down(a, ago(19)), b)).toMatchObject({ external_name: "b" });
  });

  it("purged and still referenced is shown as it was called before, and by its CATRN after", async () => {
    const { a, b } = await p.two();
    await p.write.declared([a, a, b], ago(20));
    await p.write.deleted(b, ago(10), ago(8));
    await p.write.purged(b, ago(8), "//gone/b", "sales", "hollow");
    expect(nodeOf(await p.down(a, ago(11)), b)).toMatchObject({
      internal_name: "sales",
      purged: true,
    });
    const after = nodeOf(await p.down(a, ago(7)), b);
    expect([after.internal_name, after.purged]).toEqual([null, undefined]);
  });

  it("deleted since tells so", async () => {
    const { a, b } = await p.two();
    await p.write.declared([a, a, b], ago(20));
    await p.write.deleted(b, ago(10));
    expect(nodeOf(await p.down(a, ago(11)), b)).toMatchObject({
      deleted_since: ago(10),
      status: { status: "DELETED" },
    });
    expect(pairsOf(await p.down(a, ago(9)))).toEqual([]);
  });
});
