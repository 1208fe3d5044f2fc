import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import type { Schema } from "#web/api/client.ts";
import { mayHaveLineage, neighboursOf, pathOf } from "#web/features/structure/column-lineage.ts";

const column = (id: number, dataset_id: number, name: string | null, field_id: number | null) => ({
  id,
  dataset_id,
  name,
  field_id,
  type: null,
});
const edge = (source_id: number, target_id: number, kind: "DIRECT" | "INDIRECT", more = {}) => ({
  source_id,
  target_id,
  kind,
  origin: "DECLARED" as const,
  establisher_ids: [9],
  since: "2026-01-01T00:00:00.000Z",
  ...more,
});
const dataset = (id: number) => ({
  id,
  catrn: `//${id}`,
  status: { status: "UNASSIGNED" as const },
});
const answer: Schema<"ColumnLineage"> = {
  root: { id: 1, columns: [11, 12] },
  columns: [
    column(11, 1, "total", 101),
    column(12, 1, "day", 102),
    column(13, 1, null, null),
    column(21, 2, "amount", 201),
    column(22, 2, "state", null),
  ],
  datasets: [dataset(1), dataset(2)],
  edges: [
    edge(22, 13, "INDIRECT", { subtype: "FILTER" }),
    edge(22, 11, "INDIRECT", { origin: "SQL" }),
    edge(21, 11, "DIRECT", { subtype: "SUM", masking: true }),
  ],
  truncated_at: [],
};
const shown = (field: number, direction: "upstream" | "downstream") =>
  neighboursOf(answer, field, direction).map(({ name, indirect, ofAll, description }) =>
    [name, indirect && "indirect", ofAll && "of all", description].filter(Boolean).join(" ")
  );

test("values come first, then what has a say in the field, then in all of them", () => {
  expect(shown(101, "upstream")).toEqual([
    "amount SUM, masked",
    "state indirect from SQL",
    "state indirect of all FILTER",
  ]);
  expect(shown(102, "upstream")).toEqual(["state indirect of all FILTER"]);
});

test("a field that feeds nothing has no neighbours downstream", () => {
  expect(shown(101, "downstream")).toEqual([]);
});

test("a nested field is requested by its path, unless a list would change the name", () => {
  const field = (id: number, name: string, parent_field_id: number | null) =>
    ({ id, name, parent_field_id }) as Schema<"DataSetField">;
  const fields = [field(1, "address", null), field(2, "geo", 1), field(3, "lat", 2)];
  expect(pathOf(fields[2]!, fields)).toBe("address.geo.lat");
  expect(["a.b", "Ä b", "a,b", " a"].every(mayHaveLineage)).toBe(true);
  expect(["", "ü".repeat(501)].some(mayHaveLineage)).toBe(false);
});
