import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const known = statement<{ catrn: string }>("naming-known")`
  SELECT catrn FROM data_entity
   WHERE catrn = ANY($1::text[]) AND NOT hollow AND is_live(status)`;

/** Those of the CATRNs that the catalogue holds as more than a name. */
export async function catalogued(db: Queryable, catrns: string[]): Promise<Set<string>> {
  if (catrns.length === 0) return new Set();
  const rows = await db.query(known, [catrns]);
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

const sources = statement<{ system: string; catrn: string }>("naming-sources")`
  SELECT s.system, d.catrn FROM unnest($1::text[]) AS s(system), LATERAL (
    SELECT catrn FROM data_source
     WHERE lower(split_part(catrn, '/', 3)) = s.system ORDER BY id LIMIT ${maxSources}) d`;

/** CATRNs of data sources by their first segment, for each of these systems, which are lower-case. */
export async function sourcesOf(
  db: Queryable,
  systems: string[],
): Promise<Map<string, string[]>> {
  const found = new Map(systems.map((system): [string, string[]] => [system, []]));
  for (const { system, catrn } of await db.query(sources, [systems])) {
    found.get(system)!.push(catrn);
  }
  return found;
}

/** Maximum number of names directly under one CATRN that are looked through. */
export const maxChildren = 200;

// From each child on, the index is searched again behind all its descendants; U+10FFFF sorts behind every letter.
const children = statement<{ prefix: string; child: string }>("naming-children")`
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
const maxPrefixes = 200;

/** The segments that follow each prefix in CATRNs of the catalogue; at most `maxChildren` of them. */
export async function childrenOf(
  db: Queryable,
  prefixes: string[],
): Promise<Map<string, string[]>> {
  const found = new Map(prefixes.map((prefix): [string, string[]] => [prefix, []]));
  for (let at = 0; at < prefixes.length; at += maxPrefixes) {
    const rows = await db.query(children, [prefixes.slice(at, at + maxPrefixes)]);
    for (const { prefix, child } of rows) found.get(prefix)!.push(child);
  }
  return found;
}
