import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import { type ClassName, tabsOf } from "./entity-tabs.ts";

const of = (...names: ClassName[]) => ({
  entity_classes: names.map((name, id) => ({ id, name, types: [] })),
});
const names = (...args: Parameters<typeof tabsOf>) => tabsOf(...args).map(({ tab }) => tab);

test("a table has its structure and tests, a job its history", () => {
  expect(names(of("DATA_SET"))).toEqual([
    ...["overview", "structure", "lineage", "tests", "alerts"],
    ...["activity", "discussions", "queries", "relationships"],
  ]);
  expect(names(of("DATA_TRANSFORMER"))).toContain("history");
  expect(names(of("DATA_QUALITY_TEST"))).toContain("history");
  expect(names(of("DATA_TRANSFORMER"))).not.toContain("structure");
});

test("what has several classes has the tabs of all", () => {
  expect(names(of("DATA_SET", "DATA_TRANSFORMER"))).toEqual(
    expect.arrayContaining(["structure", "history"]),
  );
});

test("groups have members, lookup tables data, relationships no lineage", () => {
  expect(tabsOf({ ...of("DATA_ENTITY_GROUP"), items_count: 3 })).toContainEqual(
    { tab: "linked", name: "Members", count: 3 },
  );
  expect(names({ ...of("DATA_SET"), lookup_table_id: 4 })).toContain("data");
  expect(names(of("DATA_RELATIONSHIP"))).not.toContain("lineage");
  expect(names(of("DATA_QUALITY_TEST"))).not.toContain("lineage");
  expect(names(of("DATA_CONSUMER"))).toContain("lineage");
});

test("open alerts are counted, none are not", () => {
  const alerts = (count?: number) => tabsOf(of("DATA_SET"), count).find((t) => t.tab === "alerts");
  expect(alerts(2)?.count).toBe(2);
  expect(alerts(0)?.count).toBeUndefined();
});
