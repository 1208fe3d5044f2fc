import { describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { testApi, testContext } from "#test/support/http/api.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";
import { ago, nodeOf, pairsOf, pastLineage } from "./testing/past-lineage.ts";

const p = pastLineage();

describe("an edge as of a time", () => {
  it("stands from its very beginning until just before its end, and no longer", async () => {
    const { a, b } = await p.two();
    await p.write.ended([b, a, b], ago(10), ago(5));
    const at = async (time: string) => pairsOf(await p.down(a, time));
    expect(await at(ago(10, -1))).toEqual([]);
    expect(await at(ago(10))).toEqual([`${a}>${b}`]);
    expect(await at(ago(5, -1))).toEqual([`${a}>${b}`]);
    expect(await at(ago(5))).toEqual([]);
  });

  it("that is still declared stands from its beginning", async () => {
    const { a, b } = await p.two();
    await p.write.declared([b, a, b], ago(10));
    expect(pairsOf(await p.down(a, ago(10, -1)))).toEqual([]);
    expect(pairsOf(await p.down(a, ago(10)))).toEqual([`${a}>${b}`]);
  });

  it("of no length never shows", async () => {
    const { a, b } = await p.two();
    await p.write.ended([b, a, b], ago(7), ago(7));
    for (const ms of [-1, 0, 1]) expect(pairsOf(await p.down(a, ago(7, ms)))).toEqual([]);
  });

  it("is hidden exactly while one of its ends was deleted, and counts are those of then", async () => {
    const { a, b } = await p.two();
    await p.write.declared([b, a, b], ago(20));
    await p.write.deleted(b, ago(10), ago(5));
    for (const [time, stands] of [[ago(10, -1), 1], [ago(10), 0], [ago(5, -1), 0], [ago(5), 1]]) {
      const answer = await p.down(a, time as string);
      expect([time, pairsOf(answer).length]).toEqual([time, stands]);
      const counts = await p.get(
        `/api/dataentities/${a}/lineage/downstream?as_of=${time}`,
      );
      if (stands) expect(nodeOf(counts, a)).toMatchObject({ parents_count: 0, children_count: 1 });
    }
  });

  it("is answered with the time, in the body and in a header", async () => {
    const { a, b } = await p.two();
    await p.write.declared([b, a, b], ago(20));
    const answer = await p.down(a, ago(3).replace("Z", "+00:00"));
    expect(answer.json.as_of).toBe(ago(3));
    expect(answer.headers.get("x-lineage-as-of")).toBe(ago(3));
    expect(answer.headers.get("x-lineage-unsettled")).toBeNull();
    const fresh = await p.down(a, new Date(Date.now() - 1_000).toISOString());
    expect(fresh.headers.get("x-lineage-unsettled")).toBe("true");
    const live = await p.get(`/api/dataentities/${a}/lineage/downstream`);
    expect([live.json.as_of, live.headers.get("x-lineage-as-of")]).toEqual([undefined, null]);
  });
});

describe("a time", () => {
  const refused = async (asOf: string) => {
    const { a } = await p.two();
    const { status, json } = await p.down(a, asOf);
    return [status, json.details[0].field, json.message];
  };

  it("to come, or without an offset, is 400 naming it", async () => {
    const [status, field, message] = await refused(new Date(Date.now() + 60_000).toISOString());
    expect([status, field]).toEqual([400, "as_of"]);
    expect(message).toContain("future");
    expect((await refused("2026-01-01T00:00:00"))[0]).toBe(400);
  });

  it("before the history is 400 naming the earliest one, which is answered", async () => {
    const [status, field, message] = await refused("2001-01-01T00:00:00Z");
    expect([status, field]).toEqual([400, "as_of"]);
    const earliest = /before (\S+),/.exec(String(message))![1]!;
    expect(Date.parse(earliest)).toBeGreaterThan(Date.now() - 365 * 24 * 3_600_000 - 60_000);
    await p.db.query("UPDATE lineage_history_begin SET at = $1", [ago(90)]);
    const { a } = await p.two();
    expect((await p.down(a, ago(90, -1))).json.message).toContain(`before ${ago(90)},`);
    expect((await p.down(a, ago(90))).status).toBe(200);
    await p.db.query("UPDATE lineage_history_begin SET at = '-infinity'");
  });
});

describe("a group as of a time", () => {
  it("begins at those members of today that were there, and collapses as today", async () => {
    const ids = await insertEntities(p.db, [group("g"), "a", "b", "out"]) as Record<string, number>;
    const { g, a, b, out } = ids as { g: number; a: number; b: number; out: number };
    await p.write.created(Object.values(ids), ago(100));
    await insertMembers(p.db, [[g, a], [g, b]]);
    await p.write.declared([a, a, out], ago(20));
    await p.write.ended([b, b, out], ago(30), ago(10));
    await p.write.deleted(a, ago(15), ago(12));
    const at = async (time: string) => pairsOf(await p.down(g, time));
    expect(await at(ago(16))).toEqual([`${a}>${out}`, `${b}>${out}`]);
    expect(await at(ago(14))).toEqual([`${b}>${out}`]);
    expect(await at(ago(9))).toEqual([`${a}>${out}`]);
    const up = await p.get(`/api/dataentities/${out}/lineage/upstream?as_of=${ago(16)}`);
    expect(up.json.upstream.edges).toEqual([{ source_id: g, target_id: out }]);
  });

  it("has the lineage that stood among those members", async () => {
    const ids = await insertEntities(p.db, [group("g"), "a", "b", "c"]) as Record<string, number>;
    const { g, a, b, c } = ids as { g: number; a: number; b: number; c: number };
    await p.write.created(Object.values(ids), ago(100));
    await insertMembers(p.db, [[g, a], [g, b], [g, c]]);
    await p.write.ended([b, a, b], ago(20), ago(10));
    await p.write.declared([c, b, c], ago(15));
    const at = async (time: string) => {
      const { json } = await p.get(`/api/dataentitygroups/${g}/lineage?as_of=${time}`);
      expect(json.as_of).toBe(time);
      return json.items.map((item: { edges: object[] }) => item.edges.length).sort();
    };
    expect(await at(ago(12))).toEqual([2]);
    expect(await at(ago(10))).toEqual([0, 1]);
    expect(await at(ago(16))).toEqual([0, 1]);
    expect((await p.get(`/api/dataentitygroups/${g}/lineage?as_of=${ago(101)}`)).status).toBe(404);
    expect((await p.get(`/api/dataentitygroups/${a}/lineage?as_of=${ago(1)}`)).status).toBe(404);
  });
});

describe("a walk beyond its budget", () => {
  it("says where it ended, as one of today does", async () => {
    const names = Array.from({ length: 6 }, (_, n) => `n${n}`);
    const ids = Object.values(await insertEntities(p.db, names)).sort((x, y) => x - y);
    await p.write.created(ids, ago(100));
    for (const [n, id] of ids.slice(1).entries()) {
      await p.write.ended([id, ids[n]!, id], ago(9), ago(3));
    }
    const context = testContext(p.database, { graph: new PostgresGraph(p.db) });
    const config = { ...context.config, lineage: { ...context.config.lineage, "max-nodes": 3 } };
    const api = testApi(lineageRoutes({ ...context, config }));
    const answer = await api.get(
      `/api/dataentities/${ids[0]}/lineage/downstream?lineage_depth=9&as_of=${ago(5)}`,
    );
    expect(answer.headers.get("x-lineage-truncated")).toBe("nodes");
    expect(answer.json.downstream.truncated_at).toEqual([{ id: ids[2], remaining_depth: 7 }]);
    expect(answer.json.downstream.edges).toHaveLength(2);
  });
});
