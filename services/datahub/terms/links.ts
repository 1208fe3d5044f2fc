import { maxName } from "#contract/text.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { objectsOf, textOf } from "#platform/datahub/values.ts";
import { maxValues, titleOf } from "../mapper/common.ts";
import { type EntityFacts, isRemoved, type Names } from "../mapper/facts.ts";
import { recordLinks, type TermLink } from "./links.queries.ts";

/** The namespace of terms that stand in no node of the glossary. */
export const usualNamespace = "DataHub";

/** Longest definition that is stored, UTF-16 units. */
const maxDefinition = 10_000;

/** The terms of an entity that is posted as `catrn`, or the term that the entity is; none of one that was removed. */
export function termLinks(
  { urn, aspects, names, parsed }: EntityFacts,
  catrn: string | undefined,
): TermLink[] {
  if (isRemoved(aspects)) return [];
  if (parsed.type === "glossaryTerm") {
    return aspects.has("glossaryTermInfo") ? [{ urn, catrn: null, ...termOf(urn, names) }] : [];
  }
  if (catrn === undefined) return [];
  const terms = objectsOf(aspects.get("glossaryTerms")?.terms).flatMap((one) =>
    textOf(one.urn) ?? []
  );
  return [...new Set(terms)].slice(0, maxValues)
    .map((term) => ({ urn, catrn, ...termOf(term, names) }))
    .filter(({ name }) => name !== "");
}

function termOf(
  term: string,
  names: Names,
): Pick<TermLink, "term" | "namespace" | "name" | "definition"> {
  const info = names.aspectsOf(term).get("glossaryTermInfo");
  const node = textOf(info?.parentNode);
  const namespace = node === undefined
    ? usualNamespace
    : cut(titleOf(node, names)) || usualNamespace;
  const definition = (textOf(info?.definition) ?? "").slice(0, maxDefinition).toWellFormed();
  return {
    term,
    namespace,
    name: cut(titleOf(term, names)),
    definition: definition.replaceAll("\0", ""),
  };
}

const cut = (text: string) =>
  text.replaceAll("\0", "").trim().slice(0, maxName).toWellFormed().trim();

/** Notes what the entities that were mapped are linked with; `applyLinks` makes the catalogue agree. */
export async function recordTermLinks(
  tx: Transaction,
  urns: string[],
  links: TermLink[],
): Promise<void> {
  if (urns.length === 0) return;
  await tx.query(recordLinks, [
    urns,
    links.map(({ urn }) => urn),
    links.map(({ term }) => term),
    links.map(({ catrn }) => catrn),
    links.map(({ namespace }) => namespace),
    links.map(({ name }) => name),
    links.map(({ definition }) => definition),
  ]);
}
