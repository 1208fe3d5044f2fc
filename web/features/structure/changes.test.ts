import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import type { Schema } from "#web/api/client.ts";
import { changesOf, countsOf } from "#web/features/structure/changes.ts";

type State = Schema<"DataSetFieldDiffState">;
const state = (id: number, name: string, more: Partial<State> = {}): State => ({
  id,
  name,
  type: { type: "TYPE_STRING", is_nullable: true },
  ...more,
});
const diff = (
  status: Schema<"DataSetVersionDiffStatus">,
  before: State | null,
  after: State | null,
) => ({ status, states: { ...before && { 7: before }, ...after && { 9: after } } });

test("what is gone or has another type breaks; what is new or renamed is safe", () => {
  const integer = { type: { type: "TYPE_INTEGER" as const, is_nullable: true } };
  const needed = { type: { type: "TYPE_STRING" as const, is_nullable: false } };
  const changes = changesOf(
    {
      field_list: [
        diff("CREATED", null, state(21, "new")),
        diff("DELETED", state(12, "gone"), null),
        diff("UPDATED", state(13, "typed", integer), state(23, "typed")),
        diff("UPDATED", state(14, "needed"), state(24, "needed", needed)),
        diff("UPDATED", state(15, "key"), state(25, "key", { is_primary_key: true })),
        diff("NO_CHANGES", state(16, "same"), state(16, "same")),
      ],
    },
    7,
    9,
  );
  expect(changes.map(({ name, breaking }) => [name, breaking])).toEqual([
    ["new", false],
    ["gone", true],
    ["typed", true],
    ["needed", true],
    ["key", false],
    ["same", false],
  ]);
  expect(changes[2]!.texts).toEqual(["Type: Integer → String"]);
  expect(changes[3]!.texts).toEqual(["Type: String → String, not null"]);
  expect(changes[4]!.texts).toEqual(["Primary key: no → yes"]);
  expect(countsOf(changes)).toEqual({
    breaking: 3,
    safe: 2,
    created: 1,
    deleted: 1,
    updated: 3,
    same: 1,
  });
});

test("a field that went from a parent whose row is another stands under that parent", () => {
  const changes = changesOf(
    {
      field_list: [
        diff("UPDATED", state(1, "address"), state(2, "address", { is_key: true })),
        diff("DELETED", state(3, "city", { parent_field_id: 1 }), null),
      ],
    },
    7,
    9,
  );
  expect(changes[1]!.parent).toBe(changes[0]!.id);
});
