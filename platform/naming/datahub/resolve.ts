import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { FindingMemory } from "#platform/naming/memory.ts";
import { openLineageRoot } from "#platform/naming/openlineage/catrns.ts";
import type { DatasetKind, Match } from "#platform/naming/openlineage/model.ts";
import { resolveCandidates } from "#platform/naming/resolve-candidates.ts";
import { datahubRoot } from "./catrns.ts";
import { type DatahubNaming, type DatasetName, nameDataset, type NamedDataset } from "./names.ts";

/** A name and the CATRN under which the catalogue knows what it names. */
export interface ResolvedDataset {
  catrn: string;
  kind: DatasetKind;
  match: Match;
  /** Whether a collector holds it, whose word has precedence; OpenLineage's has not. */
  catalogued: boolean;
  /** Several catalogued datasets may be meant, so none of them was taken. */
  ambiguous: boolean;
  /** As of `NamedDataset`, while the catalogue does not provide the host either. */
  lacksHost?: string;
}

const holders = statement<{ catrn: string; composed: boolean }>("datahub-naming-known")`
  SELECT e.catrn, coalesce(starts_with(s.catrn, $2), false) AS composed
    FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
   WHERE e.catrn = ANY($1::text[]) AND NOT e.hollow AND is_live(e.status)
     AND (s.id IS NULL OR NOT starts_with(s.catrn, $3))`;

/**
 * What the catalogue knows datasets as, in the order of the names, in a fixed number of statements: what anybody else
 * holds under the CATRN of the rule; else what exists under exactly one that differs in spelling, or on an unknown
 * host; else the CATRN of the rule. What DataHub itself brought counts for nothing, so that order does not matter.
 */
export async function resolveDatasets(
  db: Queryable,
  names: readonly DatasetName[],
  settings: DatahubNaming,
  memory: FindingMemory,
): Promise<ResolvedDataset[]> {
  if (names.length === 0) return [];
  const named = names.map((name) => nameDataset(name, settings));
  const composed = new Map<string, boolean>();
  const known = async (catrns: string[]) => {
    const rows = await db.query(holders, [catrns, openLineageRoot, datahubRoot]);
    for (const row of rows) composed.set(row.catrn, row.composed);
    return new Set(rows.map(({ catrn }) => catrn));
  };
  const exact = await known([...new Set(named.map(({ catrn }) => catrn))]);
  const lost = named.filter(({ catrn, candidateName }) => candidateName && !exact.has(catrn));
  const candidates = lost.map(({ candidateName }) => candidateName!);
  const found = await resolveCandidates(db, candidates, { known, memory });
  const loose = new Map(lost.map((one, at) => [one, found[at]]));
  return named.map((one) => answer(one, exact.has(one.catrn), loose.get(one), composed));
}

function answer(
  { catrn, kind, generic, lacksHost }: NamedDataset,
  exact: boolean,
  loose: string | null | undefined,
  composed: Map<string, boolean>,
): ResolvedDataset {
  const existing = exact ? catrn : loose;
  if (typeof existing === "string") {
    const match = exact ? "exact" : "loose";
    return { catrn: existing, kind, match, catalogued: !composed.get(existing), ambiguous: false };
  }
  const match = generic ? "generic" : "template";
  const ambiguous = loose === null;
  const unresolved = { catrn, kind, match, catalogued: false, ambiguous } as const;
  return lacksHost === undefined ? unresolved : { ...unresolved, lacksHost };
}
