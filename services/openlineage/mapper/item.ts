import { maxOwners } from "#contract/ingestion/limits.ts";
import { maxName } from "#contract/text.ts";
import { type Item, type MappedItems, mappedItems, type MetricSet } from "#platform/items.ts";
import { type Facet as StoredFacet, objectsOf, textOf } from "../state/facets.ts";
import { nameOf } from "../state/model.ts";

export { type Item, type MappedItems, mappedItems, type MetricSet };
export type Metadata = NonNullable<Item["metadata"]>;
export type Tags = NonNullable<Item["tags"]>;
export type Owners = NonNullable<Item["owners"]>;

const schemaUrl = "https://openlineage.io/spec/2-0-2/OpenLineage.json";

/** The first extension of an item, without what is not known; none when nothing is. */
export function metadataOf(members: Record<string, unknown>): { metadata?: Metadata } {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  if (known.length === 0) return {};
  return { metadata: [{ schema_url: schemaUrl, metadata: Object.fromEntries(known) }] };
}

type Facet = Record<string, unknown> | undefined;

/** Maximum number of bytes of a tag's name that are stored, so that it fits an index. */
const maxTag = 500;

/** Tags as `key:value`, `key` alone when the value is "true"; those of a field when `field` is given. */
export function tagsOf(facet: Facet, field?: string): { tags?: Tags } {
  const names = new Set<string>();
  for (const tag of objectsOf(facet, "tags")) {
    const key = textOf(tag, "key");
    if (key === undefined || textOf(tag, "field") !== field) continue;
    const value = textOf(tag, "value");
    const name = value === undefined || value.toLowerCase() === "true" ? key : `${key}:${value}`;
    names.add(name.slice(0, maxTag).toWellFormed());
  }
  return names.size === 0 ? {} : { tags: [...names].sort().map((name) => ({ name })) };
}

/**
 * The owners that a facet names, sorted by name, with their types as titles. A facet that was deleted takes earlier ones
 * away; while none was reported, nothing is posted.
 */
export function ownersOf(facet: StoredFacet | undefined): { owners?: Owners } {
  if (facet === undefined) return {};
  const titles = new Map<string, string>();
  for (const owner of objectsOf(facet.v ?? undefined, "owners")) {
    const name = cut(textOf(owner, "name"));
    if (name !== "" && !titles.has(name)) titles.set(name, cut(textOf(owner, "type")));
  }
  const owners = [...titles].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, maxOwners);
  return { owners: owners.map(([name, title]) => (title === "" ? { name } : { name, title })) };
}

/** A name as long as owners and titles may have; empty for none. */
function cut(text = ""): string {
  return text.trim().slice(0, maxName).toWellFormed().trim();
}

/** A name as one text for people, when it is whole. */
export function nameText(given: Facet): string | undefined {
  const name = nameOf(given);
  return name ? `${name.namespace}/${name.name}` : undefined;
}

/** A text member as a member of an item, when it is there. */
export function textMember<N extends string>(name: N, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [K in N]?: string };
}

/** The instant of a time, as batches write it. */
export function instant(at: number): string {
  return new Date(at).toISOString();
}
