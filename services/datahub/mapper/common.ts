import { maxMarks, maxOwners } from "#contract/ingestion/limits.ts";
import { maxName } from "#contract/text.ts";
import { own } from "#kit/own.ts";
import type { Item } from "#platform/items.ts";
import { objectOf, objectsOf, type RawObject, textOf, textsOf } from "#platform/datahub/values.ts";
import { parseUrn, platformOf } from "#platform/naming/datahub/urn.ts";
import type { EntityFacts, Names } from "./facts.ts";

/** What an extension of metadata is called here. */
const extension = "urn:tributary:datahub";

/** Maximum number of bytes of a tag's name, so that it fits an index. */
const maxTag = 500;
/** Maximum number of values of a list in metadata. */
export const maxValues = 200;

/** The last part of a urn, which is what people call it. */
export function idOf(urn: string): string {
  return parseUrn(urn)?.parts.at(-1) ?? urn;
}

/** What people call a tag, term, domain or owner. */
export function titleOf(urn: string, names: Names): string {
  const aspects = names.aspectsOf(urn);
  const of = (aspect: string, member: string) => textOf(own(aspects.get(aspect) ?? {}, member));
  const type = parseUrn(urn)?.type;
  if (type === "tag") return of("tagProperties", "name") ?? idOf(urn);
  if (type === "glossaryTerm") return of("glossaryTermInfo", "name") ?? lastOf(idOf(urn));
  if (type === "glossaryNode") return of("glossaryNodeInfo", "name") ?? lastOf(idOf(urn));
  if (type === "domain") return of("domainProperties", "name") ?? idOf(urn);
  if (type === "corpuser") {
    return of("corpUserEditableInfo", "displayName") ?? of("corpUserInfo", "displayName") ??
      of("corpUserInfo", "fullName") ?? idOf(urn);
  }
  if (type === "corpGroup") return of("corpGroupInfo", "displayName") ?? idOf(urn);
  return idOf(urn);
}

/** A term without the nodes above it, which its urn may hold. */
const lastOf = (name: string) => name.split(".").at(-1) || name;

/** The tags and owners of an entity. */
export function marksOf(facts: EntityFacts): Pick<Item, "tags" | "owners"> {
  const { aspects, names } = facts;
  return { ...tagsOf(aspects.get("globalTags"), undefined, names), ...ownersOf(facts) };
}

/** The names of the tags and terms of two aspects, as tags. */
export function tagsOf(
  tags: RawObject | undefined,
  terms: RawObject | undefined,
  names: Names,
): { tags?: Item["tags"] } {
  const urns = [
    ...objectsOf(tags?.tags).map(({ tag }) => textOf(tag)),
    ...objectsOf(terms?.terms).map(({ urn }) => textOf(urn)),
  ];
  const found = new Set(
    urns.flatMap((urn) => urn === undefined ? [] : [titleOf(urn, names).slice(0, maxTag)]),
  );
  if (!tags && !terms) return {};
  const sorted = [...found].sort().slice(0, maxMarks);
  return { tags: sorted.map((name) => ({ name: name.toWellFormed() })) };
}

/** Owners by name, each with the title of its first ownership. */
function ownersOf({ aspects, names }: EntityFacts): { owners?: Item["owners"] } {
  const ownership = aspects.get("ownership");
  if (!ownership) return {};
  const titles = new Map<string, string>();
  for (const { owner, type, typeUrn } of objectsOf(ownership.owners)) {
    const urn = textOf(owner);
    const name = urn === undefined ? "" : cut(titleOf(urn, names));
    if (name !== "" && !titles.has(name)) titles.set(name, cut(ownerTitle(type, typeUrn, names)));
  }
  const sorted = [...titles].sort(([a], [b]) => a < b ? -1 : 1).slice(0, maxOwners);
  return { owners: sorted.map(([name, title]) => title === "" ? { name } : { name, title }) };
}

function ownerTitle(type: unknown, typeUrn: unknown, names: Names): string {
  const urn = textOf(typeUrn);
  const given = urn && textOf(names.aspectsOf(urn).get("ownershipTypeInfo")?.name);
  const word = textOf(type) ?? "";
  return given || (word === "DATAOWNER" ? "Data owner" : wordsOf(word));
}

/** `SOME_WORD` as people write it; nothing for what says nothing. */
function wordsOf(word: string): string {
  if (word === "" || word === "NONE" || word === "CUSTOM") return "";
  return word[0]! + word.slice(1).toLowerCase().replaceAll("_", " ");
}

function cut(text: string): string {
  return text.trim().slice(0, maxName).toWellFormed().trim();
}

/** The metadata of an entity: what every one has, and `members`. */
export function metadataOf(
  facts: EntityFacts,
  properties: RawObject | undefined,
  members: Record<string, unknown> = {},
): { metadata: NonNullable<Item["metadata"]> } {
  const { aspects, names, urn } = facts;
  const instance = textOf(aspects.get("dataPlatformInstance")?.instance);
  const domains = textsOf(aspects.get("domains")?.domains).map((one) => titleOf(one, names));
  const all = {
    datahub_urn: urn,
    platform_instance: instance === undefined ? undefined : idOf(instance),
    domain: domains.length === 0 ? undefined : domains.join(", "),
    sub_type: textsOf(aspects.get("subTypes")?.typeNames).join(", ") || undefined,
    path: pathOf(facts),
    deprecated: aspects.get("deprecation")?.deprecated === true ? true : undefined,
    glossary_terms: termsOf(facts),
    links: linksOf(aspects.get("institutionalMemory")),
    external_url: textOf(properties?.externalUrl),
    ...members,
    ...customOf(properties),
  };
  const known = Object.entries(all).filter(([, value]) => value !== undefined);
  return { metadata: [{ schema_url: extension, metadata: Object.fromEntries(known) }] };
}

/** Properties that the source names itself, in the order of their names. */
function customOf(properties: RawObject | undefined): Record<string, string> {
  const given = Object.entries(objectOf(properties?.customProperties) ?? {});
  const texts = given.filter((one): one is [string, string] =>
    typeof one[1] === "string" && one[0] !== "" && one[0] !== "__proto__" && one[0].length <= maxTag
  );
  return Object.fromEntries(
    texts.sort(([a], [b]) => a < b ? -1 : 1).slice(0, maxValues)
      .map(([name, value]) => [`property ${name}`, value]),
  );
}

/** Where it stands in the navigation of DataHub, by the names of its containers. */
function pathOf({ aspects, names }: EntityFacts): string | undefined {
  const path = objectsOf(aspects.get("browsePathsV2")?.path).flatMap(({ id, urn }) => {
    const container = textOf(urn);
    const named = container === undefined
      ? undefined
      : textOf(names.aspectsOf(container).get("containerProperties")?.name);
    const text = named ?? textOf(id);
    return text === undefined ? [] : [text.startsWith("urn:li:") ? idOf(text) : text];
  });
  return path.length > 0 ? path.join(" / ") : textsOf(aspects.get("browsePaths")?.paths)[0];
}

function termsOf({ aspects, names }: EntityFacts): string[] | undefined {
  const terms = objectsOf(aspects.get("glossaryTerms")?.terms).flatMap(({ urn }) => {
    const text = textOf(urn);
    return text === undefined ? [] : [titleOf(text, names)];
  });
  return terms.length === 0 ? undefined : [...new Set(terms)].sort().slice(0, maxValues);
}

function linksOf(memory: RawObject | undefined): string[] | undefined {
  const links = objectsOf(memory?.elements).flatMap(({ url, description }) => {
    const [address, text] = [textOf(url), textOf(description)];
    if (address === undefined) return [];
    return [text === undefined ? address : `${text}: ${address}`];
  });
  return links.length === 0 ? undefined : links.slice(0, maxValues);
}

/** The description that people wrote in DataHub, else that of the source. */
export function describedBy(
  edited: RawObject | undefined,
  given: RawObject | undefined,
): { description?: string } {
  const text = textOf(edited?.description) ?? textOf(given?.description);
  return text === undefined ? {} : { description: text };
}

/** The instant of a time; undefined for one that no calendar has. */
export function instantOf(at: number | undefined): string | undefined {
  if (at === undefined || at < 0 || at > 253_402_300_799_000) return undefined;
  return new Date(at).toISOString();
}

/** CATRNs of the entities that these urns name, each once and sorted. */
export function catrnsOf(urns: Iterable<string>, names: Names): string[] {
  const found = new Set<string>();
  for (const urn of urns) {
    const catrn = names.catrnOf(urn);
    if (catrn !== undefined) found.add(catrn);
  }
  return [...found].sort();
}

/** Urns of one type that a list names: texts, objects with a destination, or unions with a text. */
export function urnsOf(list: unknown, ...types: string[]): string[] {
  if (!Array.isArray(list)) return [];
  const given = list.flatMap((one: unknown) => {
    const object = objectOf(one);
    const text = textOf(one) ?? textOf(object?.destinationUrn) ?? textOf(object?.string);
    return text === undefined ? [] : [text];
  });
  return given.filter((urn) => types.includes(parseUrn(urn)?.type ?? ""));
}

export { platformOf };
