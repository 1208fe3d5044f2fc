import type { RelationKind, RelationName } from "./names.ts";

// Queries of the source's catalogue. All names are qualified: `search_path` is that of `pg_catalog` alone.

export interface Relation extends RelationName {
  oid: number;
  /** Estimated rows; null when the table was never analysed. */
  rows: number | null;
  comment: string | null;
  owner: string;
  server: string | null;
}

/** $1 after this oid, $2 limit: relations that people made, partitions as their table. */
export const relations = `
  SELECT c.oid::bigint AS oid, n.nspname AS schema, c.relname AS name, c.relkind AS kind,
         CASE WHEN c.relkind = 'p' THEN (
                SELECT sum(GREATEST(k.reltuples, 0))::float8
                  FROM pg_partition_tree(c.oid) t JOIN pg_class k ON k.oid = t.relid WHERE t.isleaf)
              WHEN c.relkind IN ('r', 'm') AND c.reltuples >= 0 THEN c.reltuples::float8 END AS rows,
         obj_description(c.oid, 'pg_class') AS comment, pg_get_userbyid(c.relowner) AS owner,
         s.srvname AS server
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_foreign_table f ON f.ftrelid = c.oid
    LEFT JOIN pg_foreign_server s ON s.oid = f.ftserver
   WHERE c.oid > $1::oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
     AND c.relpersistence <> 't' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                        AND d.objid = c.oid AND d.deptype = 'e')
   ORDER BY c.oid LIMIT $2`;

export interface Column {
  relation: number;
  number: number;
  name: string;
  /** As written in a definition: `numeric(10,2)`. */
  type: string;
  /** Name of the type below domains, and whether it is an array, composite or the like. */
  base: string;
  category: string;
  nullable: boolean;
  comment: string | null;
  default: string | null;
  generated: boolean;
  /** Labels of an enum; null of other types. */
  labels: string[] | null;
}

/** $1 oids: their columns in order. */
export const columns = `
  SELECT a.attrelid::bigint AS relation, a.attnum AS number, a.attname AS name,
         format_type(a.atttypid, a.atttypmod) AS type, coalesce(b.typname, t.typname) AS base,
         coalesce(b.typcategory, t.typcategory) AS category,
         NOT (a.attnotnull OR t.typtype = 'd' AND t.typnotnull) AS nullable,
         col_description(a.attrelid, a.attnum) AS comment,
         left(pg_get_expr(d.adbin, d.adrelid), 1000) AS default,
         a.attgenerated <> '' AS generated,
         CASE WHEN t.typtype = 'e' THEN ARRAY(
           SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder)
         END AS labels
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_type b ON b.oid = t.typbasetype
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attrelid, a.attnum`;

export interface Constraint {
  relation: number;
  name: string;
  type: "p" | "u" | "f";
  columns: string[];
  targetSchema: string | null;
  targetName: string | null;
  targetColumns: string[];
}

const names = (relation: string, key: string) =>
  `ARRAY(
  SELECT a.attname::text FROM unnest(${key}) WITH ORDINALITY AS u (number, place)
    JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = u.number ORDER BY u.place)`;

/** $1 oids: their keys and foreign keys, without the copies that partitions have. */
export const constraints = `
  SELECT k.conrelid::bigint AS relation, k.conname AS name, k.contype AS type,
         ${names("k.conrelid", "k.conkey")} AS columns, n.nspname AS "targetSchema",
         c.relname AS "targetName", ${names("k.confrelid", "k.confkey")} AS "targetColumns"
    FROM pg_constraint k LEFT JOIN pg_class c ON c.oid = k.confrelid
    LEFT JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE k.conrelid = ANY ($1::oid[]) AND k.contype IN ('p', 'u', 'f') AND k.conparentid = 0
   ORDER BY k.conrelid, k.conname`;

export interface ViewInput extends RelationName {
  view: number;
}

/** $1 oids of views: the relations that they read, partitions as their table. */
export const viewInputs = `
  SELECT DISTINCT r.ev_class::bigint AS view, n.nspname AS schema, c.relname AS name, c.relkind AS kind
    FROM pg_rewrite r
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                    AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class
    JOIN pg_class p ON p.oid = d.refobjid
    JOIN pg_class c ON c.oid = CASE WHEN p.relispartition THEN pg_partition_root(p.oid) ELSE p.oid END
    JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE r.ev_class = ANY ($1::oid[]) AND r.rulename = '_RETURN' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
   ORDER BY 1, 2, 3`;

export interface ViewDefinition {
  view: number;
  sql: string;
  /** The parsed query as PostgreSQL keeps it; null when it is very long. */
  tree: string | null;
}

/** $1 oids of views, $2 longest tree in characters. */
export const viewDefinitions = `
  SELECT r.ev_class::bigint AS view, pg_get_viewdef(r.ev_class) AS sql,
         CASE WHEN octet_length(r.ev_action::text) <= $2 THEN r.ev_action::text END AS tree
    FROM pg_rewrite r WHERE r.ev_class = ANY ($1::oid[]) AND r.rulename = '_RETURN'
   ORDER BY r.ev_class`;

export interface NamedColumn {
  relation: number;
  schema: string;
  table: string;
  kind: RelationKind;
  number: number;
  name: string;
}

/** $1 oids: the names of their columns, partitions under the name of their table. */
export const columnNames = `
  SELECT a.attrelid::bigint AS relation, n.nspname AS schema, c.relname AS table, c.relkind AS kind,
         a.attnum AS number, a.attname AS name
    FROM pg_attribute a JOIN pg_class p ON p.oid = a.attrelid
    JOIN pg_class c ON c.oid = CASE WHEN p.relispartition THEN pg_partition_root(p.oid) ELSE p.oid END
    JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped`;

/** What the check reports of a server. */
export interface ServerFacts {
  version: number;
  text: string;
  user: string;
  relations: number;
  superuser: boolean;
}

export const serverFacts = `
  SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS text,
         current_user::text AS user, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
         (SELECT count(*)::int FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname !~ '^pg_'
             AND n.nspname <> 'information_schema') AS relations`;
