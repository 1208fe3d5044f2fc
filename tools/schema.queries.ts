/** Partitions of activity have names that depend on time; their parent stands for them. */
const ofTime = "c.relname ~ '^activity_\\d{8}_\\d+$'";

const tables = `
  SELECT c.oid, c.relname AS name
    FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT ${ofTime}`;

/** Lines about tables: {name, place, line}; `place` orders the lines of one table. */
export const tableLines = `
  WITH t AS (${tables})
  SELECT t.name, l.place, l.line
    FROM t CROSS JOIN LATERAL (
      SELECT 0 AS place, 0 AS n, concat_ws(' ', 'table', t.name,
             CASE WHEN c.relkind = 'p' THEN 'partition by ' || pg_get_partkeydef(c.oid) END,
             CASE WHEN c.relispartition THEN 'partition of ' || (
               SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = c.oid)
               || ' ' || pg_get_expr(c.relpartbound, c.oid) END,
             CASE WHEN c.relpersistence <> 'p' THEN 'persistence ' || c.relpersistence::text END,
             'with (' || array_to_string(c.reloptions, ', ') || ')') AS line
        FROM pg_class c WHERE c.oid = t.oid
      UNION ALL
      SELECT 1, a.attnum, concat_ws(' ', '  ' || a.attname, format_type(a.atttypid, a.atttypmod),
             CASE WHEN a.attcollation <> y.typcollation THEN 'collate ' || (
               SELECT quote_ident(collname) FROM pg_collation k WHERE k.oid = a.attcollation) END,
             CASE WHEN a.attnotnull THEN 'not null' END,
             CASE a.attidentity WHEN 'a' THEN 'identity always' WHEN 'd' THEN 'identity' END,
             CASE WHEN a.attgenerated = '' THEN 'default ' ELSE 'generated ' END
               || pg_get_expr(d.adbin, d.adrelid),
             CASE WHEN a.attstorage <> y.typstorage THEN 'storage ' || a.attstorage::text END,
             CASE WHEN a.attcompression <> '' THEN 'compression ' || a.attcompression::text END,
             '-- ' || col_description(a.attrelid, a.attnum))
        FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid
             LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL
      -- NOT NULL stands with the column; before PostgreSQL 18 it was no constraint.
      SELECT 2, row_number() OVER (ORDER BY k.conname COLLATE "C"),
             '  constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
        FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype <> 'n'
      UNION ALL
      SELECT 3, row_number() OVER (ORDER BY i.indexrelid::regclass::text COLLATE "C"),
             '  ' || pg_get_indexdef(i.indexrelid) || CASE WHEN i.indisclustered THEN ' clustered' ELSE '' END
        FROM pg_index i WHERE i.indrelid = t.oid
      UNION ALL
      SELECT 4, row_number() OVER (ORDER BY g.tgname COLLATE "C"), '  ' || pg_get_triggerdef(g.oid)
        FROM pg_trigger g WHERE g.tgrelid = t.oid AND NOT g.tgisinternal
      UNION ALL
      SELECT 5, 0, '  grants ' || c.relacl::text FROM pg_class c
       WHERE c.oid = t.oid AND c.relacl IS NOT NULL
      UNION ALL
      SELECT 6, 0, '  -- ' || obj_description(t.oid, 'pg_class')
       WHERE obj_description(t.oid, 'pg_class') IS NOT NULL
    ) l
   ORDER BY 1, 2, l.n`;

/** Lines about views, and about sequences that belong to no column. */
export const otherLines = `
  SELECT l.line FROM (
    SELECT 'view ' || c.relname || E'\\n' || pg_get_viewdef(c.oid) AS line FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('v', 'm')
    UNION ALL
    SELECT format('sequence %s %s from %s by %s', q.sequencename, q.data_type, q.start_value,
                  q.increment_by)
      FROM pg_sequences q JOIN pg_class c ON c.oid = format('%I.%I', q.schemaname, q.sequencename)::regclass
     WHERE q.schemaname = 'public'
       AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = c.oid AND p.deptype IN ('a', 'i'))
    UNION ALL
    SELECT pg_get_statisticsobjdef(x.oid) FROM pg_statistic_ext x
     WHERE x.stxnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'type ' || y.typname || ' ' || y.typtype::text FROM pg_type y
     WHERE y.typnamespace = 'public'::regnamespace AND y.typtype NOT IN ('b', 'c')
    UNION ALL
    SELECT 'extension ' || extname FROM pg_extension WHERE extname <> 'plpgsql'
  ) l ORDER BY l.line COLLATE "C"`;

/** Functions: {name, signature, attributes, body}. */
export const functions = `
  SELECT p.proname || '(' || pg_get_function_arguments(p.oid) || ')' AS signature,
         concat_ws(' ', 'returns ' || pg_get_function_result(p.oid), l.lanname,
           CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
           CASE WHEN p.proparallel = 's' THEN 'parallel safe' END,
           CASE WHEN p.proisstrict THEN 'strict' END, CASE WHEN p.prosecdef THEN 'security definer' END,
           CASE WHEN p.proretset THEN 'rows ' || p.prorows END, 'set ' || array_to_string(p.proconfig, ', '),
           'grants ' || p.proacl::text) AS attributes,
         p.proname AS name, p.prosrc AS body
    FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
   WHERE p.pronamespace = 'public'::regnamespace
   ORDER BY p.proname, pg_get_function_arguments(p.oid) COLLATE "C"`;

/**
 * The rows of one table, as lines; times and transactions are those of their making, and differ with each. Only `change` has a
 * number of a transaction in a row from the start: its first column.
 */
export const rowsOf = (table: string) => {
  const line = table === "change"
    ? `regexp_replace(r::text, '^\\(\\d+', '(transaction')`
    : "r::text";
  return `SELECT regexp_replace(${line}, '"\\d{4}-\\d\\d-\\d\\d [0-9:.]+[+]00"', 'now', 'g') AS line
     FROM "${table}" r ORDER BY r::text COLLATE "C"`;
};
