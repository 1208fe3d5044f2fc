import { describe, expect, it } from "vitest";
import type { Answer } from "#services/api/mcp/testing/answers.ts";
import { clients } from "#services/api/mcp/testing/clients.ts";
import { servedShop } from "#services/api/mcp/testing/served.ts";
import { hostile, wide } from "#services/api/mcp/testing/shop.ts";
import { visibleText } from "#services/api/mcp/tool.ts";
import { engineSets, type Instance } from "#test/support/engines/instance.ts";

// The distributed engines where they are named: walks are theirs, all else is the same.
const served = servedShop(engineSets().at(-1));

const columnsCatrn = "//mcp/columns";

/** A job that says which columns it makes of which, and one that does not. */
async function postColumns(instance: Instance): Promise<void> {
  const [sold, earned, other] = ["sold", "earned", "other"].map((one) => `${columnsCatrn}/${one}`);
  const table = (catrn: string, ...columns: string[]) => ({
    catrn,
    name: catrn.split("/").at(-1),
    type: "TABLE",
    dataset: {
      field_list: columns.map((name) => ({
        catrn: `${catrn}/columns/${name}`,
        name,
        type: { type: "TYPE_NUMBER", logical_type: "numeric", is_nullable: true },
      })),
    },
  });
  const job = (name: string, output: string, more: object = {}) => ({
    catrn: `${columnsCatrn}/jobs/${name}`,
    name,
    type: "JOB",
    data_transformer: { inputs: [sold], outputs: [output], ...more },
  });
  const column_lineage = [{
    target: { dataset_catrn: earned, field: "amount" },
    sources: [{ dataset_catrn: sold, field: "total", type: "DIRECT" }],
  }, {
    target: { dataset_catrn: earned, field: "net, 100%" },
    sources: [{ dataset_catrn: sold, field: " net, gross", type: "DIRECT" }],
  }];
  await instance.send("POST", "/ingestion/datasources", {
    items: [{ catrn: columnsCatrn, name: "columns" }],
  });
  const posted = await instance.send("POST", "/ingestion/entities", {
    data_source_catrn: columnsCatrn,
    items: [
      table(sold!, "id", "total", "note", " net, gross", ""),
      table(earned!, "amount", "net, 100%"),
      table(other!, "x"),
      job("sum up", earned!, { column_lineage }),
      job("silent", other!),
    ],
  });
  expect([posted.status, await posted.text()]).toEqual([200, expect.anything()]);
}

describe.each(Object.keys(clients))("through %s", (name) => {
  const answerOf = (tool: string, given: object) => served.answerOf(name, tool, given);
  const errorOf = (tool: string, given: object) => served.errorOf(name, tool, given);
  const namesOf = (list: Answer[]) => list.map((one) => one.name);

  it("get_lineage reaches what the operation over HTTP reaches, nearest first", async () => {
    const path = `/api/dataentities/${served.ids.raw}/lineage/downstream?lineage_depth=20`;
    const { downstream } = await served.instance.json(path) as Answer;
    const answer = await answerOf("get_lineage", {
      ref: "raw",
      direction: "downstream",
      depth: 20,
    });
    const others = downstream.nodes.map(({ id }: Answer) => id).filter((id: number) =>
      id !== served.ids.raw
    );
    expect(answer.nodes.map(({ id }: Answer) => id).sort()).toEqual(others.sort());
    expect(answer).toMatchObject({
      root: { id: served.ids.raw },
      total: 6,
      by_type: { JOB: 2, TABLE: 2, DASHBOARD: 1, UNKNOWN: 1 },
      complete: true,
      cursor: null,
    });
    expect(answer.nodes[0]).toMatchObject({
      id: served.ids.load,
      distance: 1,
      via: [{ id: served.ids.raw, name: "raw" }],
    });
    expect(answer.by_distance).toContainEqual({ distance: 3, count: 2 });
    const jobs = { ref: "board pack", direction: "upstream", depth: 20, types: ["JOB"] };
    expect(namesOf((await answerOf("get_lineage", jobs)).nodes)).toEqual(["daily", "load"]);
    const named = await answerOf("get_lineage", { ...jobs, name_pattern: "l?ad" });
    expect([named.total, ...namesOf(named.nodes)]).toEqual([1, "load"]);
  });

  it("get_lineage of 5,000 is told in pages that fit, all of it, each once", async () => {
    const args = { ref: "hub", direction: "downstream", limit: 200 };
    const seen = new Set<number>();
    let cursor: string | undefined;
    for (let pages = 0; pages < 4; pages++) {
      const answer = await answerOf("get_lineage", { ...args, ...(cursor && { cursor }) });
      expect([answer.total, answer.by_type, answer.complete]).toEqual([
        wide,
        { TABLE: wide },
        true,
      ]);
      expect(answer.nodes.length).toBeGreaterThan(50);
      for (const { id } of answer.nodes) seen.add(id);
      cursor = answer.cursor;
      expect(cursor).toMatch(new RegExp(`\\.${seen.size}$`));
    }
    expect(await errorOf("get_lineage", { ...args, depth: 2, cursor })).toContain(
      "cursor is of another question",
    );
  });

  it("get_column_lineage and impact_of tell what a column is used for", async () => {
    await postColumns(served.instance);
    const path = `${columnsCatrn}/sold`;
    const [{ id }] = (await answerOf("get_entities", { refs: [path] })).items;
    const rest = await served.instance.json(
      `/api/datasets/${id}/columns/lineage/downstream?lineage_depth=3&include_indirect=true`,
    ) as Answer;
    const args = { ref: path, direction: "downstream", depth: 3 };
    const all = await answerOf("get_column_lineage", { ...args, include_indirect: true });
    expect(all.total).toBe(rest.edges.length);
    const direct = await answerOf("get_column_lineage", { ...args, columns: ["TOTAL"] });
    const named = (end: Answer) => `${end.dataset.name}.${end.column}`;
    expect(direct.edges.map((e: Answer) => [named(e.from), named(e.to), e.kind, namesOf(e.jobs)]))
      .toEqual([["sold.total", "earned.amount", "DIRECT", ["sum up"]]]);
    for (const [n, origin] of [[1, "SQL"], [0, "DECLARED"]]) {
      await served.instance.test.db.query("UPDATE column_edge SET origin = $1", [n]);
      const { edges } = await answerOf("get_column_lineage", { ...args, columns: ["total"] });
      expect(edges.map((e: Answer) => e.origin)).toEqual([origin]);
    }
    const impact = await answerOf("impact_of", { ref: path, column: "total" });
    expect([impact.column, impact.total, impact.of_entity]).toEqual(["total", 2, 4]);
    expect(namesOf(impact.nearest).sort()).toEqual(["earned", "sum up"]);
    expect((await answerOf("impact_of", { ref: path, column: "note" })).total).toBe(0);
    const odd = await answerOf("get_column_lineage", { ...args, columns: [" net, gross", ""] });
    expect(odd.edges.map((e: Answer) => [e.from.column, e.to.column]))
      .toEqual([[" net, gross", "net, 100%"]]);
    expect((await answerOf("impact_of", { ref: path, column: " NET, gross" })).total).toBe(2);
    expect((await answerOf("impact_of", { ref: path, column: "" })).total).toBe(0);
    expect(await errorOf("impact_of", { ref: path, column: "nosuch" })).toContain(
      "has no column nosuch",
    );
  });

  it("get_lineage and diff_lineage tell of the past", async () => {
    const { db } = served.instance.test;
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const [hourAgo, before] = [at(60), at(90)];
    await db.query("UPDATE lineage_edge SET since = $1", [at(120)]);
    await db.query("UPDATE data_entity SET created_at = $1", [at(180)]);
    await db.query("UPDATE lineage_edge SET since = $2 WHERE child_id = $1", [
      served.ids.twin,
      hourAgo,
    ]);
    const args = { ref: "orders", direction: "downstream" };
    const pastAnswer = await answerOf("get_lineage", { ...args, depth: 20, as_of: before });
    expect([pastAnswer.as_of, pastAnswer.total, namesOf(pastAnswer.nodes).includes("twin")])
      .toEqual([
        before,
        3,
        false,
      ]);
    expect((await answerOf("get_lineage", { ...args, depth: 20 })).total).toBe(4);
    const path = `/api/dataentities/${served.ids.orders}/lineage/downstream/diff?lineage_depth=5`;
    const rest = await served.instance.json(`${path}&from=${before}`) as Answer;
    const diff = await answerOf("diff_lineage", { ...args, from: before });
    expect([diff.entities, diff.edges]).toEqual([rest.counts.nodes, rest.counts.edges]);
    expect(diff.changes).toEqual([
      {
        change: "added",
        from: { id: served.ids.orders, name: "orders" },
        to: { id: served.ids.twin, name: "twin" },
      },
    ]);
    const future = await errorOf("get_lineage", { ...args, as_of: "2999-01-01T00:00:00Z" });
    expect(future).toContain("as_of must not lie in the future");
    expect(await errorOf("diff_lineage", { ...args, from: at(0), to: before })).toContain(
      "from must be earlier",
    );
  });

  it("find_lineage_path finds the way whichever of them the data flows from", async () => {
    const there = await answerOf("find_lineage_path", { from: "raw", to: "Board pack" });
    const path = ["raw", "load", "orders", "daily", "revenue", "board"].map((one) =>
      served.ids[one]
    );
    expect(there).toMatchObject({ found: true, flow: "from_to", length: 5, paths: [path] });
    expect(there.nodes.map(({ id }: Answer) => id)).toEqual(path);
    const back = await answerOf("find_lineage_path", { from: "Board pack", to: "raw" });
    expect(back).toMatchObject({ flow: "to_from", paths: [path] });
    const none = await answerOf("find_lineage_path", { from: "raw", to: "hub" });
    expect(none).toMatchObject({ found: false, flow: null, length: null, paths: [], nodes: [] });
    expect(await errorOf("find_lineage_path", { from: "raw", to: served.ids.raw! })).toContain(
      "to must be another",
    );
  });

  it("impact_of tells how much, whose and what is wrong with it", async () => {
    expect(await answerOf("impact_of", { ref: "orders" })).toMatchObject({
      total: 4,
      by_type: { JOB: 1, UNKNOWN: 1, DASHBOARD: 1, TABLE: 1 },
      open_alerts: 1,
      owners: [{ name: "Ada", count: 2 }],
      owners_total: 1,
      unowned: 2,
      nearest: [{ name: "daily", distance: 1 }, { name: "twin" }, {}, { name: "Board pack" }],
      complete: true,
    });
    const rest = await served.instance.json(
      `/api/dataentities/${served.ids.orders}/impact`,
    ) as Answer;
    expect(rest).toMatchObject({ total: 4, open_alerts: 1, unowned: 2 });
    expect(rest.owners).toMatchObject([{ name: "Ada", total: 2 }]);
    expect(Object.fromEntries(
      rest.types.map(({ type, total }: Answer) => [type?.name ?? "UNKNOWN", total]),
    )).toEqual({ JOB: 1, UNKNOWN: 1, DASHBOARD: 1, TABLE: 1 });
    const hub = await answerOf("impact_of", { ref: "hub" });
    expect([hub.total, hub.nearest.length, hub.unowned]).toEqual([wide, 20, wide]);
  });

  it("list_alerts tells those that the list over HTTP has, of an entity, and upstream of one", async () => {
    const rest = await served.instance.json("/api/alerts/list?status=OPEN") as Answer[];
    const all = await answerOf("list_alerts", {});
    expect(all.items.map(({ id }: Answer) => id)).toEqual(rest.map(({ id }) => id));
    expect(all.total).toBe(2);
    const above = await answerOf("list_alerts", { upstream_of: "Board pack" });
    expect(above).toMatchObject({
      total: 1,
      items: [{ type: "FAILED_JOB", entity: { name: "load" } }],
    });
    const [{ messages, messages_total }] = above.items;
    expect([messages.length, messages_total, messages[0].length]).toEqual([3, 4, 500]);
    expect(messages[1]).toBe(visibleText(hostile.replaceAll("\0", " ")));
    const own = await answerOf("list_alerts", { ref: "Board pack", type: "FAILED_DQ_TEST" });
    expect([own.total, own.items[0].messages]).toEqual([1, ["late"]]);
    const resolved = await answerOf("list_alerts", { status: "RESOLVED" });
    expect(resolved.items).toMatchObject([{ entity: { name: "orders" }, status: "RESOLVED" }]);
    const [first] = (await answerOf("list_alerts", { limit: 1 })).items;
    const { cursor } = await answerOf("list_alerts", { limit: 1 });
    const next = await answerOf("list_alerts", { limit: 1, cursor });
    expect([first.id, next.items[0].id, next.cursor]).toEqual([
      all.items[0].id,
      all.items[1].id,
      null,
    ]);
  });
});
