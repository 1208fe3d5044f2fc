import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { maxFields, shownCharacters } from "#services/api/mcp/limits.ts";
import { compared, nameOf, start } from "#services/api/mcp/shapes.ts";
import { lastFirst, runJson } from "#services/api/mcp/tools/runs.ts";

/** A part of an entity: how many there are, and the first of them. */
interface SectionRow {
  entity_id: number;
  total: number;
  items: unknown[];
}

const { name, description } = shownCharacters;
const each = "unnest($1::bigint[]) AS asked (id)";

/** A statement of one row for each entity; `rows` counts all and numbers them in `n`, `json` shows one. */
const section = (kind: string, { rows, json, max }: { rows: string; json: string; max: number }) =>
  statement<SectionRow>(`mcp-entity-${kind}`)`
  SELECT asked.id AS entity_id, coalesce(max(x.total), 0)::int AS total,
         coalesce(json_agg(${json} ORDER BY x.n) FILTER (WHERE x.n IS NOT NULL), '[]') AS items
    FROM ${each} LEFT JOIN LATERAL (
      SELECT * FROM (${rows}) all_of_it ORDER BY n LIMIT ${max}) x ON true
   GROUP BY asked.id`;

const counted = (order: string) =>
  `count(*) OVER () AS total, row_number() OVER (ORDER BY ${order}) AS n`;

const fields = section("fields", {
  rows: `
    SELECT f.*, ${counted("v.ordinal")}
      FROM (SELECT field_ids FROM dataset_version WHERE dataset_id = asked.id
             ORDER BY version DESC LIMIT 1) newest
      CROSS JOIN LATERAL unnest(newest.field_ids) WITH ORDINALITY AS v (field_id, ordinal)
      JOIN dataset_field f ON f.id = v.field_id
     WHERE $2::text IS NULL OR search_lower(${compared("f.name")}) LIKE search_lower($2::text)`,
  json: `json_build_object('name', ${start("x.name", name)}, 'type', x.type,
    'logical_type', ${start("x.logical_type", name)}, 'nullable', x.is_nullable,
    'primary_key', coalesce(x.is_primary_key, false),
    'description', ${
    start("coalesce(x.internal_description, x.external_description)", description)
  })`,
  max: maxFields,
});

const metadata = section("metadata", {
  rows: `
    SELECT m.name, v.value, ${counted("m.name, m.id")}
      FROM metadata_value v JOIN metadata_field m ON m.id = v.field_id WHERE v.entity_id = asked.id`,
  json: `json_build_object('name', ${start("x.name", name)}, 'value', ${start("x.value")})`,
  max: 50,
});

const runs = section("runs", {
  rows: `SELECT r.*, ${counted(lastFirst)} FROM task_run r WHERE r.task_id = asked.id`,
  json: runJson.replaceAll(/\br\./g, "x."),
  max: 5,
});

const tests = section("tests", {
  rows: `
    SELECT e.id, ${nameOf("e")} AS name, t.severity, ${counted("e.id")}
      FROM dataset_tests(asked.id) t JOIN data_entity e ON e.id = t.test_id`,
  json: `json_build_object('id', x.id, 'name', x.name, 'severity', x.severity,
    'status', (SELECT latest FROM test_outcome(x.id)))`,
  max: 50,
});

const terms = section("terms", {
  rows: `
    SELECT t.name, ns.name AS namespace, t.definition, ${counted("ns.name, t.name")}
      FROM entity_linked_term l JOIN term t ON t.id = l.term_id
      JOIN namespace ns ON ns.id = t.namespace_id WHERE l.entity_id = asked.id`,
  json: `json_build_object('namespace', ${start("x.namespace", name)}, 'name', ${
    start("x.name", name)
  }, 'definition', ${start("x.definition")})`,
  max: 50,
});

const owners = section("owners", {
  rows: `
    SELECT w.name, t.name AS title, o.external, ${counted("o.id")}
      FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
     WHERE o.entity_id = asked.id`,
  json: `json_build_object('name', ${start("x.name", name)}, 'title', ${
    start("x.title", name)
  }, 'external', x.external)`,
  max: 50,
});

const sections = { fields, metadata, runs, tests, terms, owners };

/** What `get_entities` adds to each entity as a list. */
export const sectionNames = ["fields", "metadata", "runs", "tests", "terms", "owners"] as const;
export type SectionName = (typeof sectionNames)[number];

/** A part of each of these entities, in one statement. `like`: pattern of the names of fields, or null. */
export async function sectionOf(
  db: Queryable,
  sectionStatement: SectionName,
  ids: number[],
  like: string | null,
): Promise<Map<number, SectionRow>> {
  const rows = await db.query(
    sections[sectionStatement],
    sectionStatement === "fields" ? [ids, like] : [ids],
  );
  return new Map(rows.map((row) => [row.entity_id, row]));
}

/** The SQL of those of the transformers $1 that have any, its beginning, and how long it is. */
export const sqlOf = statement<{ id: number; sql: string; characters: number }>("mcp-entity-sql")`
  SELECT id, left(sql, ${shownCharacters.sql + 1}) AS sql, char_length(sql) AS characters
    FROM (SELECT e.id, e.attributes #>> '{data_transformer,sql}' AS sql
            FROM data_entity e WHERE e.id = ANY ($1::bigint[])) of_each WHERE sql IS NOT NULL`;

/** How often each of the datasets $1 is read in its source, where that counts reads. */
export const usageOf = statement<
  { id: number; usage: { reads: number; since: string; until: string } | null }
>("mcp-entity-usage")`
  SELECT id, json_usage(e) AS usage FROM data_entity e WHERE id = ANY ($1::bigint[])`;
