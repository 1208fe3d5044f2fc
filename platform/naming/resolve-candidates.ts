import type { Queryable } from "#metadata/postgres/database.ts";
import { Branches } from "./branches.ts";
import { type FindingMemory, recalled } from "./memory.ts";
import { childrenOf, maxChildren, sourcesOf } from "./queries.ts";
import {
  type CandidateName,
  type CandidateSegment,
  leadsTo,
  type Root,
  segmentsOf,
} from "./candidate-name.ts";

interface ResolverDeps {
  /** Those of some CATRNs that may be found. */
  known(catrns: string[]): Promise<Set<string>>;
  memory: FindingMemory;
}

/**
 * For each candidate, in order, the only CATRN of the catalogue that matches it; null where several do,
 * undefined where none does. Roots are those that the rules give and those of data sources; what is not known
 * below them is read from the index, level by level. A guess is dropped only where it finds nothing.
 */
export async function resolveCandidates(
  db: Queryable,
  candidates: readonly CandidateName[],
  finding: ResolverDeps,
): Promise<(string | null | undefined)[]> {
  if (candidates.length === 0) return [];
  const found = await search(db, candidates, finding, false);
  const open = candidates.map((one, at) => ({ one, at })).filter(({ one, at }) =>
    found[at] === undefined && one.forms.some((form) => form.some(({ guessed }) => guessed))
  );
  if (open.length === 0) return found;
  const further = await search(db, open.map(({ one }) => one), finding, true);
  open.forEach(({ at }, index) => found[at] = further[index]);
  return found;
}

/** Maximum number of CATRNs looked up by one statement. */
const maxLookups = 10_000;

async function search(
  db: Queryable,
  candidates: readonly CandidateName[],
  { known, memory }: ResolverDeps,
  open: boolean,
): Promise<(string | null | undefined)[]> {
  const sources = await sourcesOfAll(db, candidates, memory);
  const all = candidates.map((one) => new Branches(rootsOf(one, sources), open));
  for (;;) {
    const wanted = new Set(all.flatMap((branches) => branches.prefixes()));
    if (wanted.size === 0) break;
    const children = await childrenOfAll(db, [...wanted], memory);
    for (const branches of all) branches.grow(children);
  }
  const names = [...new Set(all.flatMap((branches) => [...branches.candidates.keys()]))];
  const existing = new Set<string>();
  for (let at = 0; at < names.length; at += maxLookups) {
    for (const catrn of await known(names.slice(at, at + maxLookups))) existing.add(catrn);
  }
  return all.map((branches) => branches.chosen(existing));
}

/** Segments of data sources by system. */
async function sourcesOfAll(
  db: Queryable,
  candidates: readonly CandidateName[],
  memory: FindingMemory,
) {
  const systems = [...new Set(candidates.flatMap((one) => one.systems))];
  const lists = await recalled(memory.sources, systems, (missing) => sourcesOf(db, missing));
  return new Map(systems.map((system, at) => [system, lists[at]!.map(segmentsOf)]));
}

/** Minimum number of segments of a data source that names more than its system. */
const minGiven = 3;

function rootsOf(candidate: CandidateName, sources: Map<string, string[][]>): Root[] {
  const under = candidate.systems.flatMap((system) => sources.get(system) ?? [])
    .filter((source) => source.length >= minGiven);
  return candidate.forms.flatMap((form) => {
    const like = under.filter((source) => leadsTo(form, source));
    const meant = like.filter((source) => isPreferred(form, source));
    const above = meant.length > 0 ? meant : like;
    return [{ form, above: [] }, ...above.map((source) => ({ form, above: source }))];
  });
}

function isPreferred(form: CandidateSegment[], source: string[]): boolean {
  const choosing = form.slice(0, source.length).map((segment, at) => ({ segment, at }))
    .filter(({ segment }) => segment.prefers);
  return choosing.length > 0 && choosing.every(({ segment, at }) => segment.prefers!(source[at]!));
}

/** What follows each prefix; those with too many are absent. */
async function childrenOfAll(
  db: Queryable,
  prefixes: string[],
  memory: FindingMemory,
): Promise<Map<string, string[]>> {
  const lists = await recalled(memory.children, prefixes, (missing) => childrenOf(db, missing));
  const whole = prefixes.map((prefix, at) => [prefix, lists[at]!] as const);
  return new Map(whole.filter(([, list]) => list.length <= maxChildren));
}
