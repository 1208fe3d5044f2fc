import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { budgets, type Sizes, sizesOf } from "../../tools/web/sizes.ts";
import { ensureWebBuilt } from "../../tools/web/ensure.mjs";

let sizes: Sizes;
beforeAll(() => {
  if (!ensureWebBuilt(resolve("."))) throw new Error("The web interface could not be built");
  sizes = sizesOf(resolve(".cache/web/site"));
});

it("the first load is small", () => {
  expect(sizes.first).toBeGreaterThan(50_000);
  expect(sizes.first).toBeLessThanOrEqual(budgets.first);
});

it("no screen adds more than its budget to the first load", () => {
  expect(sizes.routes.length).toBeGreaterThan(25);
  expect(sizes.routes.filter(({ bytes }) => bytes > budgets.route)).toEqual([]);
});

it("the lineage screens alone load little", () => {
  expect(sizes.lineage).toBeGreaterThan(5_000);
  expect(sizes.lineage).toBeLessThanOrEqual(budgets.lineage);
});

it("messages of the first screen are few, and those of all others no large file", () => {
  const assets = resolve(".cache/web/site/assets");
  for (const name of readdirSync(assets)) {
    if (!/^messages-.*\.js\.br$/.test(name)) continue;
    const most = name.includes("-first-") ? 13_000 : 36_000;
    expect(statSync(join(assets, name)).size, name).toBeLessThanOrEqual(most);
  }
});

it("every file has a name that the service serves", () => {
  const names = readdirSync(resolve(".cache/web/site/assets"));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !/^[\w-][\w.-]*\.[a-z0-9]+$/.test(name))).toEqual([]);
});
