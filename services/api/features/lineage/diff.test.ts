import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { type Answer, testApi, testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type Past, past } from "./testing/past.ts";

const hour = 3_600_000;
const start = Date.now();
const ago = (hours: number, ms = 0) => new Date(start - hours * hour + ms).toISOString();

let t: TestDatabase;
let write: Past;
beforeAll(async () => {
  t = await testDatabase();
  write = past(t.db);
});
afterAll(() => t.drop());

/** root > a > b was, root > c > b is; b > d is there all the time. */
async function moved(): Promise<Record<"root" | "a" | "b" | "c" | "d", number>> {
  const ids = await insertEntities(t.db, ["root", "a", "b", "c", "d"]) as Record<
    "root" | "a" | "b" | "c" | "d",
    number
  >;
  await write.created(Object.values(ids), ago(100));
  const { root, a, b, c, d } = ids;
  await write.ended([a, root, a], ago(50), ago(10));
  await write.declared([a, a, b], ago(50));
  await write.declared([c, c, b], ago(50));
  await write.declared([c, root, c], ago(10));
  await write.declared([d, b, d], ago(50));
  return ids;
}

const ask = (id: number, query: string, maxNodes = 20_000): Promise<Answer> => {
  const context = testContext(t);
  const config = {
    ...context.config,
    lineage: { ...context.config.lineage, "max-nodes": maxNodes },
  };
  return testApi(lineageRoutes({ ...context, config })).get(
    `/api/dataentities/${id}/lineage/downstream/diff?${query}`,
  );
};
const summaryOf = ({ json }: Answer, ids: Record<string, number>) => {
  const name = (id: number) => Object.keys(ids).find((key) => ids[key] === id);
  type Edge = { source_id: number; target_id: number; change: string };
  return {
    nodes: json.nodes.map((n: { id: number; change: string }) => `${n.change} ${name(n.id)}`)
      .sort(),
    edges: json.edges.map((e: Edge) => `${e.change} ${name(e.source_id)}>${name(e.target_id)}`)
      .sort(),
  };
};

describe("lineage at two times", () => {
  it("differs by what came and went, and by what is merely reached another way", async () => {
    const ids = await moved();
    const answer = await ask(ids.root, `from=${ago(11)}&to=${ago(9)}&lineage_depth=5`);
    expect(summaryOf(answer, ids)).toEqual({
      nodes: ["came c", "left a", "same b", "same root"],
      edges: ["added root>c", "reached c>b", "removed root>a", "unreached a>b"],
    });
    expect(answer.json).toMatchObject({
      root: { id: ids.root },
      from: ago(11),
      to: ago(9),
      whole_depth: 5,
      counts: {
        nodes: { came: 1, left: 1, same: 3 },
        edges: { added: 1, removed: 1, reached: 1, unreached: 1, same: 1 },
      },
    });
    expect(answer.headers.get("x-lineage-truncated")).toBeNull();
    const whole = await ask(
      ids.root,
      `from=${ago(11)}&to=${ago(9)}&lineage_depth=5&include_same=true`,
    );
    expect(summaryOf(whole, ids).edges).toContain("same b>d");
    expect(summaryOf(whole, ids).nodes).toContain("same d");
  });

  it("is compared with now unless told, and is empty where nothing changed", async () => {
    const ids = await moved();
    const answer = await ask(ids.root, `from=${ago(9)}&lineage_depth=5`);
    expect([answer.json.nodes, answer.json.edges]).toEqual([[], []]);
    expect(answer.headers.get("x-lineage-unsettled")).toBe("true");
  });

  it("is not compared beyond the level that both walks reached completely", async () => {
    const ids = await moved();
    const more = await insertEntities(t.db, Array.from({ length: 9 }, (_, n) => `m${n}`));
    for (const id of Object.values(more)) await write.declared([id, ids.d, id], ago(5));
    const query = `from=${ago(9)}&to=${ago(4)}&lineage_depth=5`;
    const cut = await ask(ids.root, query, 6);
    expect(cut.json.whole_depth).toBe(3);
    expect(cut.headers.get("x-lineage-truncated")).toBe("nodes");
    expect([cut.json.nodes, cut.json.edges]).toEqual([[], []]);
    expect((await ask(ids.root, query)).json.counts.edges.added).toBe(9);
  });

  it("of a root that was there at one of them only is compared with nothing", async () => {
    const ids = await moved();
    await write.created([ids.root], ago(12));
    await write.deleted(ids.root, ago(8));
    const all = await ask(ids.root, `from=${ago(60)}&to=${ago(9)}`);
    expect(summaryOf(all, ids).nodes).toEqual(["came c", "came root"]);
    const none = await ask(ids.root, `from=${ago(9)}&to=${ago(7)}`);
    expect(summaryOf(none, ids).nodes).toEqual(["left c", "left root"]);
    const never = await ask(ids.root, `from=${ago(7)}&to=${ago(6)}`);
    expect([never.status, never.json.details[0].field]).toEqual([404, "deleted_since"]);
  });

  it.each([
    [`from=${ago(1)}&to=${ago(1)}`, "from"],
    [`from=${ago(1)}&to=${ago(2)}`, "from"],
    [`from=${ago(1)}&to=${ago(-1)}`, "to"],
    ["from=2001-01-01T00:00:00Z", "from"],
    ["from=2026-01-01T00:00:00", "from"],
    ["lineage_depth=1", "from"],
  ])("with %s is 400 naming %s", async (query, field) => {
    const { root } = await moved();
    const { status, json } = await ask(root, query);
    expect([status, json.details[0].field]).toEqual([400, field]);
  });
});
