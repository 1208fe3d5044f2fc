import { expect, it } from "vitest";
import { pairsIn, quotedIn } from "./items.ts";

it("finds the qualified names of a query, and none in its texts", () => {
  const sql = "select `o`.`id` AS `x`,`a`.`b`.`c`,'`no`.`name` \\' it''s' " +
    "from (`shop`.`or``ders` `o` join `my.db`.`t`) where `y` = '`p`.`q`'";
  expect(pairsIn(sql)).toEqual([["o", "id"], ["shop", "or`ders"], ["my.db", "t"]]);
});

it("ends where a quote is not closed", () => {
  expect(pairsIn("`a`.`b")).toEqual([["a", ""]]);
  expect(pairsIn("`".repeat(100_001)).length).toBeLessThan(2);
  expect([...quotedIn("enum('a','it''s')")].map(({ text }) => text)).toEqual(["a", "it's"]);
});
