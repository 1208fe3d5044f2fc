import { maxCatrnBytes } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { childrenOf, type FindingMemory, maxChildren, recalled, sourcesOf } from "./catalogue.ts";
import {
  type CandidateName,
  type CandidateSegment,
  fits,
  leadsTo,
  type Root,
  segmentsOf,
} from "./model.ts";

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

/** Spellings of names that are looked up, the likeliest first. */
const spellings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
];

/** A CATRN as far as it is known. */
interface Branch {
  form: CandidateSegment[];
  texts: string[];
  /** Index of its spelling: the lower, the likelier. */
  rank: number;
}

/** Most CATRNs that one name is taken to mean. */
export const maxBranches = 2_000;

/** The CATRNs that one name may mean, grown from their roots. */
class Branches {
  /** CATRNs by how likely they are: the least number is the likeliest. */
  readonly candidates = new Map<string, number>();
  /** Those that end where the next segment is unknown. */
  #open: Branch[] = [];
  /** Whether not all could be looked through. */
  #cut = false;

  constructor(roots: Root[], private readonly unguessed: boolean) {
    for (const { form, above } of roots) {
      spellings.forEach((_, rank) => this.#extend({ form, texts: above, rank }));
    }
  }

  /** Prefixes whose children are needed to go on. */
  prefixes(): string[] {
    return this.#open.map(prefixOf);
  }

  /** Goes on with the children of each prefix; a prefix without has too many. */
  grow(children: ReadonlyMap<string, readonly string[]>): void {
    const open = this.#open;
    this.#open = [];
    for (const branch of open) {
      const next = children.get(prefixOf(branch));
      if (!next) this.#cut = true;
      for (const child of next ?? []) {
        if (!fits(branch.form[branch.texts.length]!, child)) continue;
        this.#extend({ ...branch, texts: [...branch.texts, child] });
      }
    }
  }

  /** The only existing one of the likeliest; null for several, undefined for none. */
  chosen(existing: ReadonlySet<string>): string | null | undefined {
    const found = [...this.candidates].filter(([catrn]) => existing.has(catrn));
    const best = Math.min(...found.map(([, rank]) => rank));
    const likeliest = found.filter(([, rank]) => rank === best);
    if (likeliest.length === 0) return this.#cut ? null : undefined;
    return likeliest.length > 1 || this.#cut ? null : likeliest[0]![0];
  }

  #extend(branch: Branch): void {
    if (this.candidates.size + this.#open.length >= maxBranches) {
      this.#cut = true;
      return;
    }
    const segment = branch.form[branch.texts.length];
    if (!segment) return this.#finish(branch);
    if (segment.text === null || (segment.guessed && this.unguessed)) {
      this.#open.push(branch);
      return;
    }
    const text = segment.name ? spellings[branch.rank]!(segment.text) : segment.text;
    for (const one of [text, ...segment.others ?? []]) {
      this.#extend({ ...branch, texts: [...branch.texts, one] });
    }
  }

  #finish({ texts, rank }: Branch): void {
    const catrn = `//${texts.join("/")}`;
    if (catrn.length > maxCatrnBytes) return;
    this.candidates.set(catrn, Math.min(rank, this.candidates.get(catrn) ?? rank));
  }
}

function prefixOf({ texts }: Branch): string {
  return `//${texts.join("/")}`;
}
