import type { Schema } from "#web/api/client.ts";
import type { TreeGridRow } from "#web/kit/tree-grid.tsx";

export type Field = Schema<"DataSetField">;

/** A thing in a tree of fields, by whatever it is there for. */
interface Node<T> {
  id: number;
  value: T;
  name: string;
  /** Another text that finds it, such as the name that people gave it. */
  also: string;
  children: Node<T>[];
}

/** A row of the tree as it is shown; `place` is that among its siblings that are shown. */
export interface TreeRow<T> extends TreeGridRow {
  node: Node<T>;
}

interface TreeParts {
  id: number;
  parent: number | null | undefined;
  name: string;
  also?: string | null;
}

/** Most levels; what is deeper stands at the top. */
const deepest = 100;

/**
 * The tree of a flat list. What names an unknown parent, or itself through others, stands at the top, so that
 * nothing is lost.
 */
export function treeOf<T>(list: readonly T[], partsOf: (value: T) => TreeParts): Node<T>[] {
  const entries = list.map((value) => ({ value, ...partsOf(value) }));
  const parents = new Map(entries.map(({ id, parent }) => [id, parent]));
  const nodes = new Map<number, Node<T>>();
  for (const { id, value, name, also } of entries) {
    nodes.set(id, { id, value, name, also: also ?? "", children: [] });
  }
  const roots: Node<T>[] = [];
  for (const { id, parent } of entries) {
    const above = parent == null ? undefined : nodes.get(parent);
    if (above && isRooted(id, parents)) above.children.push(nodes.get(id)!);
    else roots.push(nodes.get(id)!);
  }
  return roots;
}

function isRooted(id: number, parents: Map<number, number | null | undefined>): boolean {
  let levels = 0;
  for (let at = parents.get(id); at != null && levels <= deepest; at = parents.get(at)) levels++;
  return levels <= deepest;
}

/** What is found, with all that it stands under; the whole tree when nothing is searched for. */
export function filtered<T>(
  roots: Node<T>[],
  text: string,
  keep: (value: T) => boolean = () => true,
): Node<T>[] {
  const wanted = text.trim().toLowerCase();
  const found = ({ name, also, value }: Node<T>) =>
    keep(value) && (name.toLowerCase().includes(wanted) || also.toLowerCase().includes(wanted));
  const within = (nodes: Node<T>[]): Node<T>[] =>
    nodes.flatMap((node) => {
      const children = within(node.children);
      return children.length > 0 || found(node) ? [{ ...node, children }] : [];
    });
  return within(roots);
}

/** The rows that are seen, from top to bottom. `closed`: nodes whose children are not. */
export function rowsOfTree<T>(roots: Node<T>[], closed: (id: number) => boolean): TreeRow<T>[] {
  const rows: TreeRow<T>[] = [];
  const add = (nodes: Node<T>[], depth: number) => {
    nodes.forEach((node, at) => {
      const open = node.children.length > 0 ? !closed(node.id) : undefined;
      rows.push({ node, depth, open, place: at + 1, siblings: nodes.length });
      if (open) add(node.children, depth + 1);
    });
  };
  add(roots, 0);
  return rows;
}

/** A field and all that it is nested in, from the inside outwards; each once, also where they go in a circle. */
export function chainOf(fields: readonly Field[], id: number | undefined): Field[] {
  const known = new Map(fields.map((field) => [field.id, field]));
  const chain = new Set<Field>();
  const find = (id: number | null | undefined) => known.get(id ?? Number.NaN);
  for (let at = find(id); at && !chain.has(at); at = find(at.parent_field_id)) chain.add(at);
  return [...chain];
}

/** Ids of all nodes that have something under them. */
export function parentsOf<T>(roots: Node<T>[]): number[] {
  return roots.flatMap(({ id, children }) =>
    children.length > 0 ? [id, ...parentsOf(children)] : []
  );
}
