import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const known = statement<{ catrn: string }>("datasets-known")`
  SELECT catrn FROM data_entity
   WHERE catrn = ANY($1::text[]) AND NOT hollow AND is_live(status)`;

/** Those of the CATRNs that the catalogue holds as more than a name. */
export async function catalogued(db: Queryable, catrns: string[]): Promise<Set<string>> {
  if (catrns.length === 0) return new Set();
  const rows = await db.query(known, [catrns]);
  return new Set(rows.map((row) => row.catrn));
}

/** Most data sources of the systems in question that are compared. */
const maxSources = 5_000;

const sources = statement<{ catrn: string }>("datasets-sources")`
  SELECT catrn FROM data_source
   WHERE lower(split_part(catrn, '/', 3)) = ANY($1::text[]) ORDER BY id LIMIT ${maxSources}`;

/** CATRNs of data sources whose first segment is one of these systems. */
export async function sourcesOf(db: Queryable, systems: string[]): Promise<string[]> {
  const rows = await db.query(sources, [systems]);
  return rows.map((row) => row.catrn);
}

/** Most datasets of one database that may bear one of the names. */
const maxNamed = 10_000;

// What follows `{prefix}/` sorts before `{prefix}0`, since CATRNs compare bytewise.
const named = statement<{ catrn: string }>("datasets-named")`
  SELECT catrn FROM data_entity
   WHERE catrn > $1::text || '/' AND catrn < $1::text || '0'
     AND split_part(catrn, '/', -1) = ANY($2::text[]) AND NOT hollow AND is_live(status)
   ORDER BY catrn LIMIT ${maxNamed}`;

/** CATRNs under `prefix` whose last segment is one of `names`. */
export async function namedUnder(
  db: Queryable,
  prefix: string,
  names: string[],
): Promise<string[]> {
  const rows = await db.query(named, [prefix, names]);
  return rows.map((row) => row.catrn);
}
