import { expect, it } from "vitest";
import { faults, item, list } from "#test/support/seed/batches.ts";
import { parseDataEntityList } from "./batch.ts";
import { maxName } from "#contract/text.ts";
import { maxOwners } from "./limits.ts";

const of = (owners: unknown) => list({ ...item(), owners });
const at = (owners: unknown) =>
  faults(of(owners)).map((fault) => fault.split(": ")[0]!.replace("items[0].owners", "…"));
const read = (owners: unknown) => parseDataEntityList(of(owners)).items[0]!.owners;
const crowd = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `o${n}` }));

it("are absent, none, or names with or without titles; blanks around them do not count", () => {
  expect([read(undefined), read(null), read([])]).toEqual([undefined, undefined, []]);
  expect(read([{ name: " Ann ", title: " Cook " }, { name: "Bob", title: null }]))
    .toEqual([{ name: "Ann", title: "Cook" }, { name: "Bob" }]);
  expect(at([{ name: "x".repeat(maxName), title: " " }])).toEqual([]);
});

it("names the place that is wrong", () => {
  expect(at("Ann")).toEqual(["…"]);
  expect(at(["Ann"])).toEqual(["…[0]"]);
  expect(at([{ name: "Ann" }, { title: "Cook" }])).toEqual(["…[1].name"]);
  expect(at([{ name: " " }])).toEqual(["…[0].name"]);
  expect(at([{ name: "x".repeat(maxName + 1) }])).toEqual(["…[0].name"]);
  expect(at([{ name: "Ann", title: "x".repeat(maxName + 1) }])).toEqual(["…[0].title"]);
});

it("are 100 at most", () => {
  expect(at(crowd(maxOwners))).toEqual([]);
  expect(at(crowd(maxOwners + 1))).toEqual(["…"]);
});
