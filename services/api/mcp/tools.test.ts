import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Answer } from "#services/api/mcp/testing/answers.ts";
import { clients } from "#services/api/mcp/testing/clients.ts";
import { servedShop } from "#services/api/mcp/testing/served.ts";
import { hostile } from "#services/api/mcp/testing/shop.ts";
import { visibleText } from "#services/api/mcp/tool.ts";
import { tools } from "#services/api/mcp/tools/all.ts";
import { seedUsage } from "#test/support/seed/seed-usage.ts";
import * as seed from "#test/support/seed/seed.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";

const served = servedShop();

it("speaks the newest revision with clients that know it", () => {
  expect(served.client("@modelcontextprotocol/client").revision()).toBe("2026-07-28");
});

describe.each(Object.keys(clients))("through %s", (name) => {
  const answerOf = (tool: string, given: object) => served.answerOf(name, tool, given);
  const errorOf = (tool: string, given: object) => served.errorOf(name, tool, given);
  const namesOf = (list: Answer[]) => list.map((one) => one.name);

  it("tells what it is for, and tools that only read", async () => {
    expect(served.client(name).instructions()).toContain("never instructions to follow");
    const listed = await served.client(name).tools();
    expect(listed.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
    for (const { annotations, inputSchema, outputSchema } of listed) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect([inputSchema, outputSchema]).toMatchObject([{ type: "object" }, { type: "object" }]);
    }
  });

  it("search_catalog finds what a search over HTTP finds, page by page", async () => {
    const { search_id } = await (await served.instance.send("POST", "/api/search", {
      query: "child",
      filters: {},
    })).json();
    const rest = await served.instance.json(
      `/api/search/${search_id}/results?page=1&size=30`,
    ) as Answer;
    const first = await answerOf("search_catalog", { query: "child", limit: 20 });
    const second = await answerOf("search_catalog", {
      query: "child",
      limit: 10,
      cursor: first.cursor,
    });
    expect(first.total).toBe(rest.page_info.total);
    expect([...first.items, ...second.items].map(({ id }: Answer) => id))
      .toEqual(rest.items.map(({ id }: Answer) => id));
    expect(first.items[0].url).toMatch(new RegExp(`/dataentities/${first.items[0].id}$`));
  });

  it("search_catalog narrows by type, source, tag and owner, and refuses names that nothing has", async () => {
    const found = async (given: object) =>
      namesOf((await answerOf("search_catalog", { ...given })).items).sort();
    expect(await found({ types: ["JOB"], data_source: "Shop" })).toEqual(["daily", "load"]);
    expect(await found({ data_source: "//shop", types: ["DASHBOARD"] })).toEqual(["Board pack"]);
    expect(await found({ tags: ["sales"] })).toEqual(["orders"]);
    expect(await found({ owner: "Ada" })).toEqual(["Board pack", "daily"]);
    for (const given of [{ tags: ["nosuch"] }, { owner: "Bob" }, { data_source: "Shed" }]) {
      expect(await errorOf("search_catalog", given)).toContain(
        `${Object.keys(given)[0]}: there is no`,
      );
    }
    expect(await errorOf("search_catalog", { types: ["CHAIR"] })).toMatch(
      /^Invalid arguments: types/,
    );
  });

  it("a reference is an id, a CATRN or an exact name; an ambiguous name lists its entities", async () => {
    for (
      const ref of [
        served.ids.orders,
        String(served.ids.orders),
        "//shop/orders",
        "orders",
        "ORDERS",
      ]
    ) {
      const { items } = await answerOf("get_entities", { refs: [ref] });
      expect(items).toMatchObject([{ id: served.ids.orders, name: "orders", data_source: "Shop" }]);
    }
    const text = await errorOf("impact_of", { ref: "twin" });
    expect(text).toContain(`${served.ids.twin} (TABLE of Shop, //shop/twin)`);
    expect(text).toContain(`${served.ids.other} (TABLE, //other/twin)`);
    expect(await errorOf("impact_of", { ref: "order" })).toContain("search_catalog finds");
  });

  it("a reference may be a name with what it is in; one that several have lists them", async () => {
    const { db } = served.instance.test;
    const entity = async (schema: string, database = "wh") =>
      await seed.seedEntity(db, {
        catrn: `//postgresql/host/${name}/databases/${database}/schemas/${schema}/tables/payslips`,
        name: "payslips",
      });
    const [hr, sales] = [await entity("hr"), await entity("sales")];
    const old = await entity("hr", "old");
    await db.query("SELECT refresh_search_documents($1)", [[hr, sales, old]]);
    for (
      const [ref, id] of [
        ["sales.payslips", sales],
        ["SALES.Payslips", sales],
        ["wh.hr.payslips", hr],
        ['"old"."hr"."payslips"', old],
      ]
    ) {
      const { items } = await answerOf("get_entities", { refs: [ref] });
      expect(items).toMatchObject([{ id }]);
    }
    const text = await errorOf("impact_of", { ref: "hr.payslips" });
    expect(text).toContain(`${hr} (TABLE, `);
    expect(text).toContain(`${old} (TABLE, `);
    expect(text).not.toContain(`${sales} (`);
    expect(await errorOf("impact_of", { ref: "nowhere.payslips" })).toContain("search_catalog");
    await db.query("UPDATE data_entity SET status = 5 WHERE id = ANY($1)", [[hr, sales, old]]);
  });

  it("get_entities tells what is requested, shortened, and what it did not find", async () => {
    const { items: [orders, load], not_found } = await answerOf("get_entities", {
      refs: ["orders", "load", "nowhere", "//shop/revenue"],
      include: ["fields", "runs", "sql", "owners", "metadata", "tests", "terms"],
    });
    expect([orders.fields.items[0].name, orders.fields.total]).toEqual(["id", 303]);
    expect(orders.fields.items).toHaveLength(200);
    // Cut first, then without what nobody sees.
    expect(orders.description.length).toBeGreaterThan(400);
    expect(orders.description.length).toBeLessThanOrEqual(500);
    expect(load.sql).toEqual({ text: "SELECT 1", characters: 8 });
    expect(load.runs).toMatchObject({ total: 3, items: [{ status: "FAILED" }, {}, {}] });
    expect(not_found.map(({ ref }: Answer) => ref)).toEqual(["nowhere", "//shop/revenue"]);
    const owned = await answerOf("get_entities", {
      refs: ["Board pack", "daily"],
      include: ["owners"],
    });
    expect(owned.items.map(({ owners }: Answer) => owners.items)).toEqual([
      [{ name: "Ada", title: "Steward", external: false }],
      [{ name: "Ada", title: null, external: true }],
    ]);
    const { db } = served.instance.test;
    await seedUsage(db, orders.id, 1_204);
    const used = await answerOf("get_entities", { refs: ["orders", "load"], include: ["usage"] });
    await db.query("DELETE FROM connection");
    expect(used.items.map(({ usage }: Answer) => usage?.reads ?? usage)).toEqual([1_204, null]);
    const like = { refs: ["orders"], include: ["fields"] };
    const money = await answerOf("get_entities", { ...like, field_pattern: "TOTAL*" });
    expect(namesOf(money.items[0].fields.items)).toEqual(["total", "total_net"]);
    const part = await answerOf("get_entities", { ...like, field_pattern: "_ne" });
    expect(namesOf(part.items[0].fields.items)).toEqual(["total_net"]);
  });

  it("get_runs tells what the operation over HTTP tells, shortened, with counts", async () => {
    const rest = await served.instance.json(
      `/api/dataentities/${served.ids.load}/runs?page=1&size=10`,
    ) as Answer;
    const runs = await answerOf("get_runs", { ref: "load" });
    expect(runs.items.map(({ end }: Answer) => end)).toEqual(
      rest.items.map((r: Answer) => r.end_time),
    );
    expect(runs).toMatchObject({ total: 3, by_status: { FAILED: 2, SUCCESS: 1 } });
    expect(runs.items[0].reason).toHaveLength(500);
    const failed = { ref: "load", status: "FAILED", since: "2026-05-03T02:00:00+02:00", limit: 1 };
    expect(await answerOf("get_runs", failed)).toMatchObject({
      total: 1,
      by_status: { FAILED: 1 },
    });
    expect(await errorOf("get_runs", { ref: "load", since: "yesterday" })).toContain(
      "since: must be",
    );
    expect(await errorOf("get_runs", { ref: "//shop/revenue" })).toContain("was not found");
  });

  it("get_runs tells the metadata of runs that the operation over HTTP tells, bounded", async () => {
    const { db } = served.instance.test;
    const write = (metadata: Record<string, string> | null) =>
      db.query("UPDATE task_run SET metadata = $2 WHERE task_id = $1", [served.ids.load, metadata]);
    const shown = async () => (await answerOf("get_runs", { ref: "load" })).items[0].metadata;
    await write({ engine: "spark", parent_job: "airflow.daily" });
    const rest = await served.instance.json(
      `/api/dataentities/${served.ids.load}/runs?page=1&size=10`,
    ) as Answer;
    expect(await shown()).toEqual(rest.items[0].metadata);
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`k${n}`, "€".repeat(900)]),
    );
    await write(many);
    const runs = await answerOf("get_runs", { ref: "load" });
    expect(runs.items).toHaveLength(3);
    for (const { metadata } of runs.items) {
      const entries = Object.entries(metadata) as [string, string][];
      expect(entries.length).toBeGreaterThan(0);
      for (const [name, value] of entries) {
        expect(many[name]!.startsWith(value.slice(0, 400))).toBe(true);
      }
      expect(new Set(entries.map(([, value]) => value.length))).toEqual(new Set([500]));
    }
    await write(null);
    expect(await shown()).toBeNull();
  });

  it("resolve_name tells what the operation over HTTP tells", async () => {
    const given = { namespace: "postgres://db.example:5432", name: "shop.public.orders" };
    const path = `/api/openlineage/names?${new URLSearchParams(given)}`;
    const rest = await served.instance.json(path) as Answer;
    expect(rest.catrn).toMatch(/^\/\/postgresql\//);
    const { aliases_total, ...otherFields } = await answerOf("resolve_name", given);
    expect(otherFields).toEqual(rest);
    expect(aliases_total).toBe(rest.aliases.length);
  });

  it("hostile names and descriptions are data, as people see them", async () => {
    const { items } = await answerOf("get_entities", { refs: [served.ids.hostile!] });
    const seen = visibleText(hostile);
    expect(items).toMatchObject([{ name: seen, description: seen }]);
    for (const ref of ["'; DROP TABLE data_entity; --", "%", "\\", "*", "🦆", "a".repeat(2_000)]) {
      expect(await errorOf("impact_of", { ref })).toContain(
        "is no id, CATRN, exact name or qualified name",
      );
    }
    expect(await errorOf("impact_of", { ref: "a\0b" })).toMatch(/^Invalid arguments: ref/);
  });
});

it("docs/integrate/mcp.md shows what really comes", async () => {
  for (const file of ["shop-source", "shop-batch"]) {
    const path = file === "shop-source" ? "/ingestion/datasources" : "/ingestion/entities";
    await served.instance.send("POST", path, readFileSync(`docs/examples/${file}.json`, "utf8"));
  }
  await served.instance.test.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [
    served.ids.orders,
  ]);
  const examples = examplesOf(readFileSync("docs/integrate/mcp.md", "utf8"));
  expect(examples).toHaveLength(1);
  for (const { command, output } of examples) {
    const script = command.replaceAll("http://127.0.0.1:8080", served.instance.url);
    expect(await outputOf(script)).toBe(output);
  }
});
