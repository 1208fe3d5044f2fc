import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Item } from "../connector.ts";
import {
  type CollectorHarness,
  collectorHarness,
  found,
  tableCatrn,
  tableItem,
} from "../testing/harness.ts";

let at: CollectorHarness;
beforeEach(async () => void (at = await collectorHarness()));
afterEach(() => at.drop());

/** A table with columns of a name each. */
const withColumns = (name: string, ...columns: string[]): Item => ({
  ...tableItem(name),
  dataset: {
    field_list: columns.map((column) => ({
      catrn: `${tableCatrn(name)}/columns/${column}`,
      name: column,
      type: { type: "TYPE_STRING", logical_type: "text", is_nullable: true },
    })),
  },
});

const finds = (...items: Item[]) => {
  at.source.read = async function* () {
    for (const item of items) yield found(item);
  };
};

/** The entity as a consumer would have stored it, described by somebody. */
const applied = (name: string, description: string | null = "Written by hand") =>
  at.db.query(
    `INSERT INTO data_entity (catrn, type_id, class_ids, data_source_id, hollow, received_at, last_ingested_at,
       internal_description)
     SELECT $1, 1, '{1}', id, false, now() + interval '1 minute', now(), $2 FROM data_source`,
    [tableCatrn(name), description],
  );

/** Offers as `former > successor`. */
const offers = async () =>
  (await at.db.query<{ offer: string }>(
    `SELECT regexp_replace(e.catrn, '.*/', '') || ' > ' || regexp_replace(r.new_catrn, '.*/', '') AS offer
       FROM rename_offer r JOIN data_entity e ON e.id = r.old_id ORDER BY 1`,
  )).map(({ offer }) => offer);

describe("a rename in the source", () => {
  it("is offered where exactly one new table has the columns of one that is gone", async () => {
    finds(withColumns("orders", "id", "total"), withColumns("lines", "id"));
    await at.start();
    await at.ran();
    await Promise.all([applied("orders"), applied("lines")]);
    finds(withColumns("sales_orders", "id", "total"), withColumns("lines", "id"));
    expect((await at.ran()).counts).toMatchObject({ added: 1, removed: 1 });
    expect(await offers()).toEqual(["orders > sales_orders"]);
    await applied("sales_orders", null);
    expect(await at.db.query("SELECT 1 FROM open_rename")).toHaveLength(1);
    const [row] = await at.db.query<{ text: string | null }>(
      "SELECT internal_description AS text FROM data_entity WHERE catrn = $1",
      [tableCatrn("sales_orders")],
    );
    expect(row!.text).toBeNull();
  });

  it.each<[why: string, before: Item[], after: Item[], description: string | null]>([
    ["other columns", [withColumns("a", "id", "x")], [withColumns("b", "id", "y")], "text"],
    [
      "another order of columns",
      [withColumns("a", "x", "y")],
      [withColumns("b", "y", "x")],
      "text",
    ],
    ["no columns", [tableItem("a")], [tableItem("b")], "text"],
    [
      "two that may be it",
      [withColumns("a", "x")],
      [withColumns("b", "x"), withColumns("c", "x")],
      "text",
    ],
    ["two that may have been it", [withColumns("a", "x"), withColumns("b", "x")], [
      withColumns("c", "x"),
    ], "text"],
    ["one that was there before", [withColumns("a", "x"), withColumns("b", "x")], [
      withColumns("b", "x"),
    ], "text"],
    ["nothing that people wrote", [withColumns("a", "x")], [withColumns("b", "x")], null],
  ])("is not offered for %s", async (_, before, after, description) => {
    finds(...before);
    await at.start();
    await at.ran();
    for (const { name } of before) await applied(name!, description);
    finds(...after);
    await at.ran();
    expect(await offers()).toEqual([]);
  });

  it("can no longer be decided once the old name is back", async () => {
    finds(withColumns("a", "x"));
    await at.start();
    await at.ran();
    await applied("a");
    finds(withColumns("b", "x"));
    await at.ran();
    await applied("b", null);
    expect(await at.db.query("SELECT 1 FROM open_rename")).toHaveLength(1);
    await at.db.query("UPDATE data_entity SET status = 1 WHERE catrn = $1", [tableCatrn("a")]);
    expect(await at.db.query("SELECT 1 FROM open_rename")).toEqual([]);
  });
});
