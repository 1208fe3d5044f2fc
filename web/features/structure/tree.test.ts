import { expect, test } from "vitest";
import { filtered, parentsOf, rowsOfTree, treeOf } from "#web/features/structure/tree.ts";

interface TestField {
  id: number;
  parent: number | null;
  name: string;
}
const give = (id: number, parent: number | null, name: string): TestField => ({ id, parent, name });
const list = [
  give(1, null, "id"),
  give(2, null, "address"),
  give(3, 2, "city"),
  give(4, 2, "geo"),
  give(5, 4, "lat"),
  give(6, null, "total"),
];
const tree = treeOf(list, (one) => one);
const shown = (rows: ReturnType<typeof rowsOfTree>) =>
  rows.map(({ node, depth }) => `${"-".repeat(depth)}${node.name}`);

test("nested fields stand under their parents, in order", () => {
  const rows = rowsOfTree(tree, () => false);
  expect(shown(rows)).toEqual(["id", "address", "-city", "-geo", "--lat", "total"]);
  expect([rows[3]!.place, rows[3]!.siblings]).toEqual([2, 2]);
});

test("closed ones hide what is under them", () => {
  expect(shown(rowsOfTree(tree, (id) => id === 2))).toEqual(["id", "address", "total"]);
  expect(parentsOf(tree)).toEqual([2, 4]);
});

test("a search keeps what is found and what it stands under", () => {
  expect(shown(rowsOfTree(filtered(tree, " LAT "), () => false)))
    .toEqual(["address", "-geo", "--lat"]);
  expect(filtered(tree, "nothing")).toEqual([]);
  expect(shown(rowsOfTree(filtered(tree, "", ({ id }) => id === 6), () => false)))
    .toEqual(["total"]);
});

test("nothing is lost by unknown parents and by circles", () => {
  const odd = treeOf([give(1, 9, "orphan"), give(2, 3, "a"), give(3, 2, "b"), give(4, 4, "self")], (
    one,
  ) => one);
  expect(shown(rowsOfTree(odd, () => false))).toEqual(["orphan", "a", "b", "self"]);
});

test("a chain of thousands is cut into trees that can be walked", () => {
  const chain = Array.from({ length: 5_000 }, (_, id) => give(id + 1, id || null, `c${id}`));
  expect(rowsOfTree(filtered(treeOf(chain, (one) => one), "c"), () => false)).toHaveLength(5_000);
});

test("twelve thousand columns take no time to speak of", () => {
  const many = Array.from({ length: 12_000 }, (_, id) => give(id + 1, id > 0 ? 1 : null, `c${id}`));
  expect(rowsOfTree(filtered(treeOf(many, (one) => one), "c11999"), () => false)).toHaveLength(2);
});
