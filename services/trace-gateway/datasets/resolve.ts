import type { Database } from "#metadata/postgres/database.ts";
import { resolveCandidates } from "#platform/naming/resolve-candidates.ts";
import { noMemory } from "#platform/naming/memory.ts";
import { catalogued } from "#platform/naming/queries.ts";
import type { CandidateName } from "#platform/naming/candidate-name.ts";
import { candidateOf } from "./candidate.ts";
import { datasetKey, type DatasetRef, type DatasetTemplates, nameDataset } from "./templates.ts";

/** CATRNs by `datasetKey`. */
export interface ResolvedDatasets {
  catrns: Map<string, string>;
  /** Keys of those that are named by their template alone, since the catalogue holds none of them. */
  guessed: Set<string>;
}

/**
 * CATRNs of the datasets that traces name. A catalogued dataset of exactly the
 * templated CATRN is it; else the one that differs by no more than the port or the letter case of
 * its host, the case of its name, being a view, or a schema missing in the span, if there is
 * exactly one; else the templated CATRN, which the catalogue keeps a place for.
 */
export async function resolveDatasets(
  db: Database,
  templates: DatasetTemplates,
  refs: DatasetRef[],
): Promise<ResolvedDatasets> {
  const wanted = new Map<string, CandidateName & { whole: boolean }>();
  for (const ref of refs) {
    const named = nameDataset(ref, templates);
    const whole = named.values.target !== null;
    wanted.set(datasetKey(ref), { ...candidateOf(named, ref.address), whole });
  }
  const catrns = new Map([...wanted].map(([key, { exact }]) => [key, exact]));
  const known = (names: string[]) => catalogued(db, names);
  const existing = await known([...new Set(catrns.values())]);
  const missing = [...wanted].filter(([, { exact, whole }]) => whole && !existing.has(exact));
  const finding = { known, memory: noMemory };
  const found = await resolveCandidates(db, missing.map(([, candidate]) => candidate), finding);
  const guessed = new Set<string>();
  missing.forEach(([key], at) => {
    const catrn = found[at];
    if (typeof catrn === "string") catrns.set(key, catrn);
    else guessed.add(key);
  });
  return { catrns, guessed };
}
