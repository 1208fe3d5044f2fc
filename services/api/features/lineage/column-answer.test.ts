import { expect, it } from "vitest";
import { type AnswerLists, membersJson } from "#services/api/features/lineage/column-answer.ts";

const none: AnswerLists = {
  ids: null,
  dataset_ids: null,
  names: null,
  field_ids: null,
  types: null,
  logical_types: null,
  nullable: null,
  source_ids: null,
  target_ids: null,
  establisher_ids: null,
  said: null,
  since: null,
  datasets: null,
};

const members = (lists: Partial<AnswerLists>) =>
  JSON.parse(`{${membersJson({ ...none, ...lists })}}`);

it("of nothing is three empty lists", () => {
  expect(members({})).toEqual({ columns: [], datasets: [], edges: [] });
});

it("a column has the type of its field, and null without one, whatever its name", () => {
  const { columns } = members({
    ids: "1,2",
    dataset_ids: "7,8",
    names: ['a "b",\n', null],
    field_ids: "5,null",
    types: ["TYPE_STRING", null],
    logical_types: ["varchar(10)", null],
    nullable: "tf",
  });
  const type = { type: "TYPE_STRING", logical_type: "varchar(10)", is_nullable: true };
  expect(columns).toEqual([
    { id: 1, dataset_id: 7, name: 'a "b",\n', field_id: 5, type },
    { id: 2, dataset_id: 8, name: null, field_id: null, type: null },
  ]);
});

it("an edge that several declare is one, as the first told of it, since the earliest", () => {
  const indirect =
    ',"kind":"INDIRECT","subtype":"FILTER","masking":null,"description":null,"origin":"SQL"';
  const { edges } = members({
    source_ids: "1,1,1,1,2",
    target_ids: "3,3,3,3,3",
    establisher_ids: "10,11,10,12,10",
    said: [null, null, indirect, indirect, null],
    since: "2000,1000,9000,10000,1000",
  });
  const direct = {
    kind: "DIRECT",
    subtype: null,
    masking: null,
    description: null,
    origin: "DECLARED",
    since: "1970-01-01T00:00:01.000Z",
  };
  expect(edges).toEqual([
    { source_id: 1, target_id: 3, ...direct, establisher_ids: [10, 11] },
    {
      source_id: 1,
      target_id: 3,
      kind: "INDIRECT",
      subtype: "FILTER",
      masking: null,
      description: null,
      origin: "SQL",
      establisher_ids: [10, 12],
      since: "1970-01-01T00:00:09.000Z",
    },
    { source_id: 2, target_id: 3, ...direct, establisher_ids: [10] },
  ]);
});

it("without anything said, all edges are direct and declared", () => {
  const { edges } = members({
    source_ids: "1",
    target_ids: "2",
    establisher_ids: "3",
    since: "0",
  });
  expect(edges).toMatchObject([{ kind: "DIRECT", origin: "DECLARED", masking: null }]);
});
