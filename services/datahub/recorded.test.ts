import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isMapped } from "#platform/datahub/aspects.ts";
import { type Harness, harness } from "./testing/harness.ts";

// What recipes of the client really sent: a database of SQLite with a view, then a file that describes one of its tables.

const { proposals } = JSON.parse(
  readFileSync(new URL("./testing/recorded.json", import.meta.url), "utf8"),
) as { proposals: { aspectName: string }[] };

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

const at = (name: string) => `//datahub/platforms/sqlite/datasets/main.${name}`;

it("almost all aspects of a recorded recipe are mapped", () => {
  const mapped = proposals.filter(({ aspectName }) => isMapped(aspectName));
  expect(mapped.length / proposals.length).toBeGreaterThanOrEqual(0.95);
});

it("a recorded recipe becomes tables, a view with its lineage, and their groups", async () => {
  const { rejected } = await h.store(...proposals);
  expect(rejected).toEqual([]);
  const items = await h.publish();
  const orders = items.get(at("orders"))!;
  expect(orders.dataset!.field_list.map(({ name, type }) => [name, type.type])).toEqual([
    ["id", "TYPE_INTEGER"],
    ["customer", "TYPE_INTEGER"],
    ["total", "TYPE_NUMBER"],
    ["placed", "TYPE_DATETIME"],
  ]);
  expect(orders).toMatchObject({
    description: "Orders of the shop",
    tags: [{ name: "finance" }],
    owners: [{ name: "ada", title: "Technical owner" }],
  });
  expect(orders.dataset!.field_list[2]).toMatchObject({
    description: "Net of tax",
    tags: [{ name: "money" }],
  });
  expect(items.get(at("totals"))).toMatchObject({ type: "VIEW" });
  const groups = [...items.values()].filter(({ type }) => type === "DATABASE_SERVICE");
  expect(groups.find(({ name }) => name === "main")!.data_entity_group!.entities_list).toEqual([
    at("customers"),
    at("orders"),
    at("totals"),
  ]);
});
