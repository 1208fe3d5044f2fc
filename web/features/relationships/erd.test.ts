import { expect, test } from "vitest";
import { erdOf } from "#web/features/relationships/erd.ts";

const entity = (id: number) => ({
  id,
  external_name: `t${id}`,
  status: { status: "STABLE" as const },
  is_stale: false,
});

test("each field of a side is there once, and pairs name their places", () => {
  const pair = (source: number, target: number | null) => ({
    source_dataset_field_id: source,
    source_dataset_field_catrn: `//x/s${source}`,
    target_dataset_field_id: target,
    target_dataset_field_catrn: `//x/t${target}`,
  });
  const erd = erdOf({
    id: 1,
    name: "fk",
    catrn: "//fk",
    type: "ENTITY_RELATIONSHIP",
    data_source: { id: 1, name: "s", catrn: "//s" },
    source_data_entity: entity(1),
    target_data_entity: entity(2),
    ownership: [],
    erd_relationship: { fields_pairs: [pair(5, 7), pair(5, 8), pair(6, null)] },
  });
  expect(erd.source.fields.map(({ name }) => name)).toEqual(["s5", "s6"]);
  expect(erd.target.fields.map(({ name }) => name)).toEqual(["t7", "t8", "tnull"]);
  expect(erd.pairs).toEqual([[0, 0], [0, 1], [1, 2]]);
});
