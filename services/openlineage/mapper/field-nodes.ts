import { objectsOf, textOf } from "../state/facets.ts";
import { compare } from "../state/states.ts";

type RawObject = Record<string, unknown>;

/** A field of a schema, where it stands. */
export interface FieldNode {
  given: RawObject;
  name: string;
  /** The names of those it is nested in and its own, joined by dots. */
  path: string;
  /** The same names as segments; the last part of its CATRN where another field has the same path. */
  key?: string;
  above: FieldNode | null;
}

interface NamedField extends FieldNode {
  names: string[];
}

/**
 * The fields of a schema, at most `max`, each after the one that it is nested in. A name may hold a dot itself: of several
 * fields with one path the least nested one keeps it, whatever their order. Of one name in one place the first counts.
 */
export function placedFields(fields: RawObject[], max: number): FieldNode[] {
  const found = new Map<string, NamedField>();
  const add = (given: RawObject[], above: NamedField | null): void => {
    for (const one of given) {
      const name = textOf(one, "name");
      if (name === undefined || found.size >= max) continue;
      const names = [...above?.names ?? [], name];
      const key = keyOf(names);
      if (found.has(key)) continue;
      const field = { given: one, name, path: names.join("."), above, names };
      found.set(key, field);
      add(objectsOf(one, "fields"), field);
    }
  };
  add(fields, null);
  giveKeys([...found.values()]);
  return [...found.values()];
}

/** Names with what divides them, which none of them then holds. */
const keyOf = (names: string[]) =>
  names.map((name) => name.replaceAll("/", "\\\\")).join("/fields/");

function giveKeys(fields: NamedField[]): void {
  const first = new Map<string, NamedField>();
  for (const field of fields) {
    const other = first.get(field.path);
    if (!other || order(field, other) < 0) first.set(field.path, field);
  }
  for (const field of fields) {
    if (first.get(field.path) !== field) field.key = keyOf(field.names);
  }
}

function order(a: NamedField, b: NamedField): number {
  return a.names.length - b.names.length || compare(keyOf(a.names), keyOf(b.names));
}
