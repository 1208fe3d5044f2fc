import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchFixture } from "#services/api/features/search/testing/fixture.ts";
import { seedField, seedVersion } from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

let at: Awaited<ReturnType<typeof searchFixture>>;
beforeAll(async () => {
  at = await searchFixture();
  for (const name of names) await seed.seedEntity(at.database.db, { name });
  await seed.seedEntity(at.database.db, {
    name: "told",
    externalDescription: "Items of an order, sorted; 売上の月次集計",
  });
  await at.database.db.query(
    "SELECT refresh_search_documents(array(SELECT id FROM data_entity))",
  );
});
afterAll(() => at.close());

const names = [
  "Köln_Erträge",
  "Bru\u0308cke", // decomposed
  "Fußweg",
  "Hauptstrasse",
  "Łomża_Ørsta",
  "Điện_thoại",
  "Ёлки",
  "Ｓａｌｅｓ＿２０２５",
  "İzmir",
  "北京市海淀区",
  "在庫管理システム",
  "고객주문",
  "ยอดขายรายวัน",
  "ｶﾞｽ料金",
  "refundpolicies",
  "MegaRefundBook",
  "budget2031",
  "k7f2q9x4m1",
  "purchase_lines",
  "purchaseLines",
  "lines_of_purchase",
];

async function found(query: string): Promise<string[]> {
  const id = await at.begin({ query });
  const { json } = await at.api.get(`/api/search/${id}/results?page=1&size=50`);
  return json.items.map((item: { external_name: string }) => item.external_name);
}
const suggested = async (query: string) =>
  (await at.api.get(`/api/search/suggestions?query=${encodeURIComponent(query)}`)).json
    .map(({ external_name: name }: { external_name: string }) => name);

describe("a name is found", () => {
  it.each([
    ["koln", "Köln_Erträge"],
    ["KÖLN", "Köln_Erträge"],
    ["ko\u0308ln ertra", "Köln_Erträge"],
    ["brucke", "Bru\u0308cke"],
    ["Brücke", "Bru\u0308cke"],
    ["fussweg", "Fußweg"],
    ["FUSSWEG", "Fußweg"],
    ["weg", "Fußweg"],
    ["lomza orsta", "Łomża_Ørsta"],
    ["dien thoai", "Điện_thoại"],
    ["елки", "Ёлки"],
    ["sales 2025", "Ｓａｌｅｓ＿２０２５"],
    ["sales_２０２５", "Ｓａｌｅｓ＿２０２５"],
    ["izmir", "İzmir"],
    ["Hauptstraße", "Hauptstrasse"],
  ])("without its diacritics, or with others: %j", async (typed, name) => {
    expect(await found(typed)).toEqual([name]);
    expect(await suggested(typed)).toEqual([name]);
  });

  it.each([
    ["海淀", "北京市海淀区"],
    ["区", "北京市海淀区"],
    ["北京市海淀区", "北京市海淀区"],
    ["管理", "在庫管理システム"],
    ["ステム", "在庫管理システム"],
    ["주문", "고객주문"],
    ["ขาย", "ยอดขายรายวัน"],
    ["ガス", "ｶﾞｽ料金"],
    ["月次", "told"],
  ])("by a part of letters that no spaces separate: %j", async (typed, name) => {
    expect(await found(typed)).toEqual([name]);
    expect(await suggested(typed)).toEqual([name]);
  });

  it("by neighbours only: letters that are elsewhere in the name are no part of it", async () => {
    for (const typed of ["京海", "北京区", "理在", "集計売上"]) {
      expect([typed, await found(typed)]).toEqual([typed, []]);
    }
  });

  it.each([
    ["policies", ["refundpolicies"]],
    ["fundpol", ["refundpolicies"]],
    // Words that begin with it are before words that have it within.
    ["fund", ["MegaRefundBook", "refundpolicies"]],
    ["refund", ["refundpolicies", "MegaRefundBook"]],
    ["2031", ["budget2031"]],
    ["f2q9", []],
    ["un", []],
  ])("by a part of a word, from three letters on, but not of keys: %j", async (typed, expected) => {
    expect((await found(typed)).sort()).toEqual([...expected].sort());
    expect((await suggested(typed)).sort()).toEqual([...expected].sort());
  });

  it("by a part of a name of a column, too", async () => {
    const { db } = at.database;
    const id = await seed.seedEntity(db, { name: "structured" });
    await seedVersion(db, id, 1, [await seedField(db, id, { catrn: "//f/subscriberlevel" })]);
    await db.query("SELECT refresh_search_documents($1)", [[id]]);
    expect(await found("scriber")).toEqual(["structured"]);
  });
});

describe("a phrase in quotation marks", () => {
  it.each([
    ['"purchase lines"', ["purchaseLines", "purchase_lines"]],
    ["“purchase lines”", ["purchaseLines", "purchase_lines"]],
    ['"lines of purchase"', ["lines_of_purchase"]],
    ['"purchase" lines', ["lines_of_purchase", "purchaseLines", "purchase_lines"]],
    ['"items of an order"', ["told"]],
    ['"order items"', ["sales.order_items"]],
    ['"purch"', []],
    ['"koln ertrage"', ["Köln_Erträge"]],
    ['"海淀区"', ["北京市海淀区"]],
    ['""', []],
    ['"purchase lines', ["lines_of_purchase", "purchaseLines", "purchase_lines"]],
  ])("has its words whole and in their order: %s", async (typed, expected) => {
    expect((await found(typed)).sort()).toEqual([...expected].sort());
  });
});
