import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const text = readFileSync("docs/reference/deviations.md", "utf8");
const rowOf = (topic: string) => text.split("\n").find((line) => line.startsWith(`| ${topic} |`));

/** Deviations that no comparison of OpenAPI documents finds. */
it.each([
  "`TermFormData`",
  "`expanded_entity_ids`",
  "First response of a search for lookup tables or query examples",
  "`lineage_depth`, ids and other integers",
  "Owner of an ERD relationship",
  "Response to a change of a row of a lookup table",
  "`description`, `is_nullable`, `is_unique`, `default_value` omitted when a lookup table or a column is changed",
  "Message of a rejected item",
  "A CSV file whose only column is `id`",
  "Versions in `GET /api/appInfo`",
])("documents the deviation: %s", (topic) => {
  expect(rowOf(topic)).toBeDefined();
});

it("documents the web interface, to which links in messages lead", () => {
  expect(text).not.toMatch(/no web interface|entity as JSON/);
  expect(rowOf("Links in chat and mail")).toContain("web interface, by default at `server.port`");
});

it("documents that data_entity is null for an alert or an event without an entity", () => {
  const row = rowOf("`data_entity` of alerts and activity");
  expect(row).toContain("null for alerts");
  expect(row).not.toContain("absent");
});
