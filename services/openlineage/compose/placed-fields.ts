import { objectsOf, textOf } from "../state/facets.ts";
import { compare } from "../state/states.ts";

type Given = Record<string, unknown>;

/** A field of a schema, where it stands. */
export interface PlacedField {
  given: Given;
  name: string;
  /** The names of those it is nested in and its own, joined by dots. */
  path: string;
  /** The same names as segments; the last part of its CATRN where another field has the same path. */
  key?: string;
  above: PlacedField | null;
}

interface Named extends PlacedField {
  names: string[];
}

/**
 * The fields of a schema, at most `max`, each after the one that it is nested in. A name may hold a dot itself: of several
 * fields with one path the least nested one keeps it, whatever their order. Of one name in one place the first counts.
 */
export function placedFields(fields: Given[], max: number): PlacedField[] {
  const found = new Map<string, Named>();
  const add = (given: Given[], above: Named | null): void => {
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

function giveKeys(fields: Named[]): void {
  const first = new Map<string, Named>();
  for (const field of fields) {
    const other = first.get(field.path);
    if (!other || order(field, other) < 0) first.set(field.path, field);
  }
  for (const field of fields) {
    if (first.get(field.path) !== field) field.key = keyOf(field.names);
  }
}

function order(a: Named, b: Named): number {
  return a.names.length - b.names.length || compare(keyOf(a.names), keyOf(b.names));
}
