import { VectorBuilder } from "./vector-builder.ts";

/**
 * What an entity is found by, by the weight that its words have; `name`, `tags` and `named` are identifiers, which are found
 * by their parts too (`orderItems` by `items`). As the columns of `search_texts` in metadata/schema/functions/search.sql.
 */
export interface SearchTexts {
  /** Weight A. */
  name: string;
  /** Weight B. */
  tags: string[];
  description: string;
  /** Weight C. */
  named: string[];
  prose: string[];
  /** Weight D. */
  values: string[];
}

const builder = new VectorBuilder();

/** Characters of a name; with its parts it is shorter than what `search_documents` cuts off. Of the other weights the builder takes less. */
const longestName = 7_000;

/**
 * The words of an entity as a `tsvector` in PostgreSQL's binary form, equal to what `search_documents` makes of the same texts
 * but for the order of words of one weight; it takes a twentieth of the time. Null where only PostgreSQL knows: letters
 * beyond ASCII, whose treatment depends on its locale; `~`, which its parser may take for the beginning of a path; and more
 * than a vector holds whole.
 */
export function searchVector(texts: SearchTexts): Uint8Array | null {
  if (texts.name.length > longestName) return null;
  builder.begin();
  const plain = addIdentifiers([texts.name], 3) &&
    addIdentifiers(texts.tags, 2) && builder.add(texts.description, 2) &&
    addIdentifiers(texts.named, 1) && addAll(texts.prose, 1) &&
    addAll(texts.values, 0);
  return plain ? builder.vector() : null;
}

function addAll(list: string[], weight: number): boolean {
  for (const text of list) if (!builder.add(text, weight)) return false;
  return true;
}

/** As `search_camel` does: where one of several has parts, all of them are listed twice. */
function addIdentifiers(names: string[], weight: number): boolean {
  if (!addAll(names, weight)) return false;
  return !names.some((name) => parts.test(name)) || addAll(names.map(parted), weight);
}

const parts = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;

function parted(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
}
