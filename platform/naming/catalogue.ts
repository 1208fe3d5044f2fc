import type { Clock } from "#kit/clock.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ShortCache } from "#kit/short-cache.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ResolvedName } from "./model.ts";

/** Milliseconds for which answers of the catalogue about names are cached. */
const ttlMs = 60_000;
/** Maximum number of systems whose data sources are cached. */
const maxSystems = 100;
/** Maximum number of CATRNs whose children are cached. */
const maxPrefixes = 5_000;
/** Maximum number of names whose resolution is cached. */
export const maxResolved = 20_000;

/** Answers of the catalogue, by what they are about. */
type ResultCache<V> = Pick<ShortCache<V>, "get" | "peek">;

/** What was looked up to find names. */
export interface FindingMemory {
  /** CATRNs of data sources, by their system. */
  sources: ResultCache<string[]>;
  /** Segments that follow a CATRN, by it. */
  children: ResultCache<string[]>;
}

/** What was looked up for names within the last minute, by one process. */
export interface NamingMemory extends FindingMemory {
  /** Names of OpenLineage, by namespace and name. */
  resolved: ResultCache<ResolvedName>;
}

/** An empty memory; each process has one for each `user`, under whose name it is measured. */
export function namingMemory(
  given: { clock: Clock; metrics: Metrics },
  user = "naming",
): NamingMemory {
  const cache = <V>(name: string, maxEntries: number) =>
    new ShortCache<V>({ ...given, ttlMs, maxEntries, name });
  return {
    sources: cache(`${user}-sources`, maxSystems),
    children: cache(`${user}-children`, maxPrefixes),
    resolved: cache(`${user}-resolved`, maxResolved),
  };
}

const noCache: ResultCache<never> = { get: (_, fetch) => fetch(), peek: () => undefined };

/** Keeps nothing. */
export const noMemory: NamingMemory = { sources: noCache, children: noCache, resolved: noCache };

/** Answers for all keys, in their order; those that are not kept are read at once. `read` answers each key. */
export async function recalled<V>(
  memory: ResultCache<V>,
  keys: readonly string[],
  read: (keys: string[]) => Promise<ReadonlyMap<string, V>>,
): Promise<V[]> {
  const cached = keys.map((key) => memory.peek(key));
  const missing = [...new Set(keys.filter((_, at) => cached[at] === undefined))];
  const answers = missing.length === 0 ? new Map<string, V>() : read(missing);
  return await Promise.all(
    keys.map((key, at) => cached[at] ?? memory.get(key, async () => (await answers).get(key)!)),
  );
}

const knownCatrns = statement<{ catrn: string }>("naming-known")`
  SELECT catrn FROM data_entity
   WHERE catrn = ANY($1::text[]) AND NOT hollow AND is_live(status)`;

/** Those of the CATRNs that the catalogue holds as more than a name. */
export async function catalogued(db: Queryable, catrns: string[]): Promise<Set<string>> {
  if (catrns.length === 0) return new Set();
  const rows = await db.query(knownCatrns, [catrns]);
  return new Set(rows.map((row) => row.catrn));
}

const knownBesides = statement<{ catrn: string }>("naming-known-besides")`
  SELECT e.catrn FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
   WHERE e.catrn = ANY($1::text[]) AND NOT e.hollow AND is_live(e.status)
     AND (s.id IS NULL OR NOT starts_with(s.catrn, $2))`;

/** As `catalogued`, without what stands under data sources whose CATRN begins with `root`. */
export async function cataloguedBesides(
  db: Queryable,
  catrns: string[],
  root: string,
): Promise<Set<string>> {
  if (catrns.length === 0) return new Set();
  const rows = await db.query(knownBesides, [catrns, root]);
  return new Set(rows.map((row) => row.catrn));
}

/** Most data sources of one system that are compared. */
export const maxSources = 5_000;

const sourcesBySystem = statement<{ system: string; catrn: string }>("naming-sources")`
  SELECT s.system, d.catrn FROM unnest($1::text[]) AS s(system), LATERAL (
    SELECT catrn FROM data_source
     WHERE lower(split_part(catrn, '/', 3)) = s.system ORDER BY id LIMIT ${maxSources}) d`;

/** CATRNs of data sources by their first segment, for each of these systems, which are lower-case. */
export async function sourcesOf(
  db: Queryable,
  systems: string[],
): Promise<Map<string, string[]>> {
  const found = new Map(systems.map((system): [string, string[]] => [system, []]));
  for (const { system, catrn } of await db.query(sourcesBySystem, [systems])) {
    found.get(system)!.push(catrn);
  }
  return found;
}

/** Maximum number of names directly under one CATRN that are looked through. */
export const maxChildren = 200;

// From each child on, the index is searched again behind all its descendants; U+10FFFF sorts behind every letter.
const childrenByPrefix = statement<{ prefix: string; child: string }>("naming-children")`
  SELECT DISTINCT p.prefix, split_part(substr(c.catrn, length(p.prefix) + 2), '/', 1) AS child
    FROM unnest($1::text[]) AS p(prefix),
    LATERAL (
      WITH RECURSIVE step(catrn, n) AS (
        (SELECT e.catrn, 1 FROM data_entity e
          WHERE e.catrn > p.prefix || '/' AND e.catrn < p.prefix || '0'
          ORDER BY e.catrn LIMIT 1)
        UNION ALL
        SELECT (SELECT e.catrn FROM data_entity e
                 WHERE e.catrn > p.prefix || '/' || split_part(substr(s.catrn, length(p.prefix) + 2), '/', 1)
                     || CASE WHEN strpos(substr(s.catrn, length(p.prefix) + 2), '/') = 0 THEN ''
                             ELSE '/' || chr(1114111) END
                   AND e.catrn < p.prefix || '0'
                 ORDER BY e.catrn LIMIT 1), s.n + 1
          FROM step s WHERE s.catrn IS NOT NULL AND s.n <= ${maxChildren} * 2
      )
      SELECT catrn FROM step WHERE catrn IS NOT NULL
    ) c`;

/** Maximum number of prefixes of one statement. */
const prefixesAtOnce = 200;

/** The segments that follow each prefix in CATRNs of the catalogue; at most `maxChildren` of them. */
export async function childrenOf(
  db: Queryable,
  prefixes: string[],
): Promise<Map<string, string[]>> {
  const found = new Map(prefixes.map((prefix): [string, string[]] => [prefix, []]));
  for (let at = 0; at < prefixes.length; at += prefixesAtOnce) {
    const rows = await db.query(childrenByPrefix, [prefixes.slice(at, at + prefixesAtOnce)]);
    for (const { prefix, child } of rows) found.get(prefix)!.push(child);
  }
  return found;
}
