import type { Queryable } from "#metadata/postgres/database.ts";
import { resolveCandidates } from "#platform/naming/resolve-candidates.ts";
import { cataloguedBesides, type NamingMemory, recalled } from "#platform/naming/catalogue.ts";
import { catrnsOf, type NamedDataset, openLineageRoot } from "./catrns.ts";
import type { NameRef, ResolvedName } from "#platform/naming/model.ts";
import type { NamingSettings } from "./settings.ts";

/**
 * What the catalogue knows datasets as, in the order of the names: a fixed number of statements for any number of
 * them. What a collector holds under the CATRN of the rule is it; else what it holds under exactly one CATRN that
 * differs in spelling, or in what the name leaves out; else the CATRN of the rule. Several are never chosen
 * from. What OpenLineage itself brought counts for nothing, so that the order of events does not matter.
 * `memory` keeps answers for a minute.
 */
export async function resolveNames(
  db: Queryable,
  refs: readonly NameRef[],
  settings: NamingSettings,
  memory: NamingMemory,
): Promise<ResolvedName[]> {
  const named = refs.map((ref) => catrnsOf(ref, settings));
  const byKey = new Map(named.map((one) => [keyOf(one), one]));
  const read = (missing: string[]) =>
    resolveUnique(db, missing.map((key) => byKey.get(key)!), memory);
  return await recalled(memory.resolved, named.map(keyOf), read);
}

function keyOf({ ref: { namespace, name } }: NamedDataset): string {
  return `${namespace}\0${name}`;
}

async function resolveUnique(
  db: Queryable,
  named: NamedDataset[],
  memory: NamingMemory,
): Promise<Map<string, ResolvedName>> {
  const known = (catrns: string[]) => cataloguedBesides(db, catrns, openLineageRoot);
  const exact = await known([...new Set(named.map(({ catrn }) => catrn))]);
  const lost = named.filter(({ catrn, candidateName }) =>
    candidateName !== null && !exact.has(catrn)
  );
  const found = await resolveCandidates(db, lost.map(({ candidateName }) => candidateName!), {
    known,
    memory,
  });
  const looseMatches = new Map(lost.map((one, at) => [keyOf(one), found[at]!]));
  return new Map(named.map((one) => {
    const looseMatch = looseMatches.get(keyOf(one));
    return [keyOf(one), answer(one, exact.has(one.catrn), looseMatch)];
  }));
}

function answer(
  { catrn, rule, kind, generic, warnings }: NamedDataset,
  exact: boolean,
  looseMatch: string | null | undefined,
): ResolvedName {
  const sure = warnings.filter((warning) => warning !== "incomplete");
  if (exact) return { catrn, rule, kind, match: "exact", warnings: sure, catalogued: true };
  if (typeof looseMatch === "string") {
    return { catrn: looseMatch, rule, kind, match: "loose", warnings: sure, catalogued: true };
  }
  const allWarnings = looseMatch === null ? [...warnings, "ambiguous" as const] : warnings;
  const match = generic ? "generic" : "template";
  return { catrn, rule, kind, match, warnings: allWarnings, catalogued: false };
}
