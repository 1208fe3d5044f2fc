import type { Database } from "#metadata/postgres/database.ts";
import {
  datasetKey,
  type DatasetRef,
  type DatasetTemplates,
  escaped,
  fill,
  nameDataset,
} from "./templates.ts";
import { type Loose, looseOf, namesUnder } from "./loose.ts";
import * as queries from "./queries.ts";

interface Wanted extends Loose {
  key: string;
  /** The CATRN that the template gives. */
  exact: string;
}

/** CATRNs by `datasetKey`. */
export interface ResolvedDatasets {
  catrns: Map<string, string>;
  /** Keys of those that are named by their template alone, since the catalogue holds none of them. */
  guessed: Set<string>;
}

/**
 * CATRNs of the datasets that traces name. A catalogued dataset of exactly the
 * templated CATRN is it; else the one that differs by no more than the port or the letter case of
 * its host, the case of its name, being a view, or a schema that the span did not tell, if there is
 * exactly one; else the templated CATRN, which the catalogue keeps a place for.
 */
export async function resolveDatasets(
  db: Database,
  templates: DatasetTemplates,
  refs: DatasetRef[],
): Promise<ResolvedDatasets> {
  const wanted = new Map<string, Wanted>();
  for (const ref of refs) {
    const named = nameDataset(ref, templates);
    const exact = fill(named.template, named.values);
    wanted.set(datasetKey(ref), { key: datasetKey(ref), exact, ...looseOf(named, ref.address) });
  }
  const catrns = new Map([...wanted.values()].map(({ key, exact }) => [key, exact]));
  const guessed = new Set<string>();
  if (wanted.size === 0) return { catrns, guessed };
  const known = await queries.catalogued(db, [...new Set(catrns.values())]);
  const missing = [...wanted.values()].filter((w) => !known.has(w.exact) && w.target !== null);
  if (missing.length === 0) return { catrns, guessed };
  for (const { key } of missing) guessed.add(key);
  const sources = await queries.sourcesOf(db, [...new Set(missing.map((w) => w.system))]);
  const rooted = missing.map((w) => ({ ...w, roots: w.rootsAmong(sources) }));
  const found = await matchNames(db, rooted);
  const rest = rooted.filter((w) => !found.has(w.key) && w.schemaGuessed && w.roots.length > 0);
  for (const [key, catrn] of [...found, ...await matchSchemas(db, rest)]) {
    if (catrn === null) continue;
    catrns.set(key, catrn);
    guessed.delete(key);
  }
  return { catrns, guessed };
}

type Rooted = Wanted & { roots: string[] };

/** By key of the dataset: the only match, null for several; keys without a match are absent. */
async function matchNames(db: Database, wanted: Rooted[]): Promise<Map<string, string | null>> {
  const candidates = wanted.map((w) => w.roots.flatMap((root) => namesUnder(root, w)));
  const known = await queries.catalogued(db, [...new Set(candidates.flat())]);
  const found = new Map<string, string | null>();
  wanted.forEach(({ key }, at) => {
    const matches = new Set(candidates[at]!.filter((catrn) => known.has(catrn)));
    if (matches.size > 0) found.set(key, matches.size === 1 ? [...matches][0]! : null);
  });
  return found;
}

/** Most databases that are looked through for the schema of a table. */
const maxRoots = 50;

/** Tables of that name in any schema of their database. */
async function matchSchemas(db: Database, wanted: Rooted[]) {
  const byRoot = new Map<string, Rooted[]>();
  for (const w of wanted) {
    for (const root of w.roots) byRoot.set(root, [...byRoot.get(root) ?? [], w]);
  }
  const matches = new Map<string, Set<string>>();
  for (const [root, under] of [...byRoot].slice(0, maxRoots)) {
    const names = [...new Set(under.map((w) => escaped(w.target!)))];
    for (const catrn of await queries.namedUnder(db, `${root}/schemas`, names)) {
      for (const w of under.filter((w) => catrn.endsWith(`/${escaped(w.target!)}`))) {
        matches.set(w.key, (matches.get(w.key) ?? new Set()).add(catrn));
      }
    }
  }
  return new Map([...matches].map(([key, set]) => [key, set.size === 1 ? [...set][0]! : null]));
}
