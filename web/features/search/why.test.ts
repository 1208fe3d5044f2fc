import "#web/messages/testing/english.ts";
import { expect, it } from "vitest";
import { aroundMatch, isInName, placesOf } from "#web/features/search/why.ts";

it("lists the places in which words were found, columns first", () => {
  const found = placesOf({
    data_entity: {
      external_name: "mrt_<b>churn</b>",
      internal_name: null,
      internal_description: null,
      external_description: "Who <b>churn</b>s",
    },
    dataset_structure: [{ name: "<b>churn</b>_score", tags: [] }],
    tags: [],
    owners: [],
    terms: [],
    metadata: [],
  } as never);
  expect(found).toEqual([
    ["Columns", ["<b>churn</b>_score"]],
    ["Description", ["Who <b>churn</b>s"]],
  ]);
});

it("knows what the name says by itself", () => {
  expect(isInName("churn", "mrt_churn_features")).toBe(true);
  expect(isInName("Churn feat", "mrt_churn_features", null)).toBe(true);
  expect(isInName("churn revenue", "mrt_churn_features")).toBe(false);
});

it("shows the first match of a long text", () => {
  expect(aroundMatch("Short <b>match</b>")).toBe("Short <b>match</b>");
  const long = `${"word ".repeat(40)}<b>match</b> after`;
  expect(aroundMatch(long)).toMatch(/^… word .*<b>match<\/b> after$/);
  expect(aroundMatch(long).length).toBeLessThan(60);
});
