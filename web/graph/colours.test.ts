import "#web/messages/testing/english.ts";
import { expect, it } from "vitest";
import { type ColourFacts, colourOf, legendOf } from "#web/graph/colours.ts";
import { type BoxHealth, initialsOf } from "#web/graph/health.ts";
import { boardScene, theme } from "#web/graph/testing/samples.ts";

const { boxes } = boardScene([
  { id: 1, column: 0, row: 0 },
  { id: 2, column: 1, row: 0, node: { source: { id: 2, name: "bi" } } },
  { id: 3, column: 1, row: 1, node: { source: null, classes: ["DATA_CONSUMER"] } },
]);
const health = (given: Partial<BoxHealth>): BoxHealth => ({
  freshness: null,
  tests: { total: 0, passed: 0, failed: 0 },
  lastRun: null,
  columns: 0,
  owners: [],
  isBelowAlert: false,
  ...given,
});
const facts: ColourFacts = {
  sourceName: (id) => `source ${id}`,
  health: new Map([
    [1, health({ freshness: "LATE", tests: { total: 3, passed: 2, failed: 1 }, owners: ["Ann"] })],
    [2, health({ freshness: "FRESH", tests: { total: 3, passed: 3, failed: 0 } })],
  ]),
};
const labels = (by: Parameters<typeof colourOf>[1]) =>
  boxes.map((box) => colourOf(theme, by, box, facts).label);

it("colour says one thing at a time, and what is not known is said too", () => {
  expect(labels("type")).toEqual(["Dataset", "Dataset", "Consumer"]);
  expect(labels("source")).toEqual(["source 1", "source 2", "No source"]);
  expect(labels("owner")).toEqual(["Ann", "No owner", "No owner"]);
  expect(labels("freshness")).toEqual(["Late", "Updated as usual", "Rhythm not known"]);
  expect(labels("tests")).toEqual(["Tests fail", "Tests pass", "No tests"]);
  expect(colourOf(theme, "freshness", boxes[0]!, facts).colour).toBe(theme.alert);
});

it("tests that were broken or never ran do not pass", () => {
  const of = new Map([[1, health({ tests: { total: 3, passed: 2, failed: 0 } })]]);
  expect(colourOf(theme, "tests", boxes[0]!, { ...facts, health: of }).label)
    .toBe("Tests without result");
});

it("a legend has each meaning once, the most frequent first", () => {
  expect(legendOf(theme, "type", boxes, facts)).toEqual([
    { label: "Dataset", colour: theme.classes.DATA_SET },
    { label: "Consumer", colour: theme.classes.DATA_CONSUMER },
  ]);
});

it("initials are those of the first and the last word", () => {
  expect(["Teo Okafor", "ann", "data-platform_team", "日本 太郎", ""].map(initialsOf))
    .toEqual(["TO", "A", "DT", "日太", ""]);
});
