import type { RelationKind } from "../names.ts";

// Queries of pg_stat_statements and of what its statements name. `search_path` is that of `pg_catalog` alone.

/** What a server offers of its query history. */
export interface HistoryFacts {
  /** Schema of the extension, quoted; null where this database does not have it. */
  schema: string | null;
  /** Whether the user sees the statements of other roles. */
  readable: boolean;
  /** Columns of its view, which differ between versions. */
  columns: string[];
  /** Whether the view `pg_stat_statements_info` is there. */
  info: boolean;
}

export const historyFacts = `
  SELECT quote_ident(n.nspname) AS schema,
         (SELECT count(*) = 1 FROM pg_roles WHERE rolname = 'pg_read_all_stats'
             AND pg_has_role(current_user, oid, 'USAGE')) AS readable,
         ARRAY(SELECT a.attname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                WHERE c.relnamespace = n.oid AND c.relname = 'pg_stat_statements') AS columns,
         EXISTS (SELECT FROM pg_class c
                  WHERE c.relnamespace = n.oid AND c.relname = 'pg_stat_statements_info') AS info
    FROM (VALUES (1)) one (n)
    LEFT JOIN pg_extension e ON e.extname = 'pg_stat_statements'
    LEFT JOIN pg_namespace n ON n.oid = e.extnamespace`;

/** Fails where the extension is installed and not loaded. */
export const probe = ({ schema }: HistoryFacts): string =>
  `SELECT count(*) FROM ${schema}.pg_stat_statements(false)`;

export interface StatementRow {
  id: string;
  role: string;
  top: boolean;
  calls: string;
  /** Milliseconds since the epoch; null where the server does not tell. */
  since: number | null;
  text: string;
}

/**
 * $1, $2, $3 after this id, role and level, $4 limit, $5 longest text, $6 characters: statements of this database, in a
 * lasting order, as many as have so many characters. Every query costs the server all of its statements.
 */
export function statements({ schema, columns, info }: HistoryFacts): string {
  const level = columns.includes("toplevel") ? "s.toplevel" : "true";
  const starts = [
    ...(columns.includes("stats_since") ? ["s.stats_since"] : []),
    ...(info ? [`(SELECT stats_reset FROM ${schema}.pg_stat_statements_info)`] : []),
  ];
  const since = starts.length === 0
    ? "NULL::float8"
    : `floor(extract(epoch FROM greatest(${starts.join(", ")})) * 1000)::float8`;
  return `
    SELECT page.id::text AS id, page.role::text AS role, top, calls::text AS calls, since, text
      FROM (SELECT *, sum(length(text)) OVER (ORDER BY id, role, top) - length(text) AS before
              FROM (SELECT s.queryid AS id, s.userid::bigint AS role, ${level} AS top, s.calls,
                           ${since} AS since, left(s.query, $5) AS text
                      FROM ${schema}.pg_stat_statements s
                     WHERE s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                       AND s.queryid IS NOT NULL AND s.calls > 0) all_of_it
             WHERE (id, role, top) > ($1::bigint, $2::bigint, $3::boolean)
             ORDER BY id, role, top LIMIT $4) page
     WHERE before < $6 ORDER BY page.id, page.role, top`;
}

export interface NamedRelation {
  /** As it is named, which may be a partition. */
  givenSchema: string;
  givenName: string;
  /** The table that it is part of, or itself. */
  schema: string;
  name: string;
  kind: RelationKind;
}

/** $1 names without their schema: the relations that people made under them. */
export const namedRelations = `
  SELECT n.nspname AS "givenSchema", p.relname AS "givenName", r.nspname AS schema, c.relname AS name,
         c.relkind AS kind
    FROM pg_class p JOIN pg_namespace n ON n.oid = p.relnamespace
    JOIN pg_class c ON c.oid = CASE WHEN p.relispartition THEN pg_partition_root(p.oid) ELSE p.oid END
    JOIN pg_namespace r ON r.oid = c.relnamespace
   WHERE p.relname = ANY ($1::text[]) AND p.relkind IN ('r', 'p', 'v', 'm', 'f') AND p.relpersistence <> 't'
     AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                        AND d.objid = p.oid AND d.deptype = 'e')
   ORDER BY n.nspname, p.relname`;

export interface RolePath {
  role: string;
  name: string;
  /** What was set for it in this database; null where nothing was. */
  path: string | null;
}

const setPath = (role: string) =>
  `(
  SELECT substr(c.setting, 13)
    FROM pg_db_role_setting d CROSS JOIN unnest(d.setconfig) AS c (setting)
   WHERE d.setrole IN (0, ${role}) AND c.setting LIKE 'search_path=%'
     AND d.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
   ORDER BY d.setrole <> 0 DESC, d.setdatabase <> 0 DESC LIMIT 1)`;

/** $1 roles: their names and where they look for tables. */
export const rolePaths = `
  SELECT r.oid::bigint::text AS role, r.rolname AS name, ${setPath("r.oid")} AS path
    FROM pg_roles r WHERE r.oid::bigint = ANY ($1::bigint[])`;

/** Where roles look for which nothing is set; null where this is unknown, since it is set for the user itself. */
export const standardPath = `
  SELECT CASE WHEN ${setPath("(SELECT oid FROM pg_roles WHERE rolname = current_user)")} IS NULL
              THEN reset_val END AS path
    FROM pg_settings WHERE name = 'search_path'`;

/** $1 limit: the roles with the most executions, whose names may be stored. */
export const busiestRoles = ({ schema }: HistoryFacts): string => `
  SELECT s.userid::bigint::text AS role FROM ${schema}.pg_stat_statements(false) s
   WHERE s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
   GROUP BY s.userid ORDER BY sum(s.calls) DESC, s.userid LIMIT $1`;
