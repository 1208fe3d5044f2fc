import { statement } from "#metadata/postgres/statement.ts";

// A catalogue as a year of work would leave it. `n` counts from 1 to $1, the number of entities; which of the
// shared names an entity has follows from it.

export const names = statement("bench-catalogue-names")`
  WITH space AS (INSERT INTO namespace (name) SELECT 'space ' || n FROM generate_series(1, 20) n),
       tags AS (INSERT INTO tag (name) SELECT 'tag ' || n FROM generate_series(1, 200) n),
       titles AS (INSERT INTO title (name) VALUES ('steward'), ('owner'))
  INSERT INTO owner (name) SELECT 'person ' || n FROM generate_series(1, 50) n`;

export const sources = statement("bench-catalogue-sources")`
  INSERT INTO data_source (catrn, name, namespace_id)
  SELECT '//bench/source/' || n, 'source ' || n, (SELECT id FROM namespace WHERE name = 'space ' || n)
    FROM generate_series(1, 20) n`;

const words =
  `(ARRAY['orders','customers','payments','shipments','refunds','visits','prices','stock'])`;

export const entities = statement("bench-catalogue-entities")`
  INSERT INTO data_entity (catrn, data_source_id, type_id, class_ids, external_name, external_description,
                           internal_description, last_ingested_at, view_count, attributes)
  SELECT '//bench/table/' || n,
         (SELECT id FROM data_source WHERE catrn = '//bench/source/' || (1 + n % 20)), 1, '{1}',
         ${words}[1 + n % 8] || '_' || n, 'What the shop knows of ' || ${words}[1 + n % 8],
         CASE WHEN n % 5 = 0 THEN 'See [[space ' || (1 + n / 5 % 20) || ':term ' || n / 5 % 100 || ']]' END,
         now(), n % 1000, '{"dataset": {"rows_number": 1000}}'
    FROM generate_series(1, $1::int) n`;

export const groups = statement("bench-catalogue-groups")`
  WITH made AS (
    INSERT INTO data_entity (catrn, type_id, class_ids, internal_name, manually_created, namespace_id)
    SELECT '//bench/group/' || n, 22, '{8}', 'domain ' || n, true,
           (SELECT id FROM namespace WHERE name = 'space ' || (1 + n % 20))
      FROM generate_series(0, $1::int / 100) n RETURNING id, catrn)
  INSERT INTO group_member (group_id, member_id, origin)
  SELECT g.id, e.id, 'MANUAL'
    FROM generate_series(1, $1::int) n JOIN data_entity e ON e.catrn = '//bench/table/' || n
    JOIN made g ON g.catrn = '//bench/group/' || n / 100`;

export const fields = statement("bench-catalogue-fields")`
  INSERT INTO dataset_field (dataset_id, catrn, name, external_description, type, is_nullable, hash)
  SELECT e.id, e.catrn || '/' || f, 'column_' || f, 'The ' || f || '. thing to know', 'TYPE_STRING', true, ''
    FROM data_entity e, generate_series(1, 10) f WHERE e.catrn LIKE '//bench/table/%'
   ORDER BY e.id, f`;

export const versions = statement("bench-catalogue-versions")`
  INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
  SELECT dataset_id, 1, 'bench', array_agg(id ORDER BY id) FROM dataset_field GROUP BY dataset_id`;

const numbered = `
  (SELECT id, replace(catrn, '//bench/table/', '')::int AS n FROM data_entity
    WHERE catrn LIKE '//bench/table/%') e`;

export const details = statement("bench-catalogue-details")`
  WITH tags AS (
    INSERT INTO entity_tag (entity_id, tag_id, origin)
    SELECT e.id, t.id, 'INTERNAL' FROM ${numbered}, unnest(ARRAY[1 + e.n % 200, 1 + e.n / 7 % 200]) x
      JOIN tag t ON t.name = 'tag ' || x ON CONFLICT DO NOTHING),
  owners AS (
    INSERT INTO ownership (entity_id, owner_id, title_id)
    SELECT e.id, o.id, (SELECT min(id) FROM title) FROM ${numbered}
      JOIN owner o ON o.name = 'person ' || (1 + e.n % 50) WHERE e.n % 3 = 0),
  happened AS (
    INSERT INTO activity (event_type, entity_id, created_at, created_by, old_state, new_state, system_event)
    SELECT 'DESCRIPTION_UPDATED', e.id, now() - e.n * interval '1 second', 'ada', '{}',
           '{"description": {"description": "new"}}', false FROM ${numbered} WHERE e.n % 2 = 0)
  INSERT INTO alert (entity_id, type, status, created_at, last_created_at)
  SELECT e.id, 4, 1, now() - e.n * interval '1 minute', now() - e.n * interval '1 minute'
    FROM ${numbered} WHERE e.n % 20 = 0`;

export const terms = statement("bench-catalogue-terms")`
  WITH made AS (
    INSERT INTO term (namespace_id, name, definition)
    SELECT (SELECT id FROM namespace WHERE name = 'space ' || (1 + n % 20)), 'term ' || n,
           'What everybody means by number ' || n
      FROM generate_series(0, 99) n RETURNING id, name)
  INSERT INTO entity_term (entity_id, term_id)
  SELECT e.id, t.id FROM ${numbered} JOIN made t ON t.name = 'term ' || e.n / 4 % 100 WHERE e.n % 4 = 0`;

export const mentions = statement("bench-catalogue-mentions")`
  INSERT INTO entity_mention (entity_id, namespace, name)
  SELECT e.id, 'space ' || (1 + e.n / 5 % 20), 'term ' || e.n / 5 % 100 FROM ${numbered} WHERE e.n % 5 = 0`;

/** $1 after which id, $2 how many; returns the last id. */
export const documents = statement<{ last: number | null }>("bench-catalogue-documents")`
  WITH next AS (SELECT id FROM data_entity WHERE id > $1 ORDER BY id LIMIT $2),
       done AS (SELECT refresh_search_documents(ARRAY(SELECT id FROM next)))
  SELECT max(id) AS last FROM next, done`;

/** Ids to ask for, spread over the catalogue; $1 how many. */
export const some = statement<{ id: number }>("bench-catalogue-some")`
  SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS at, count(*) OVER () AS all
                    FROM data_entity WHERE type_id = 1) e
   WHERE at % greatest(1, "all" / $1) = 0 ORDER BY id LIMIT $1`;

export const someGroups = statement<{ id: number }>("bench-catalogue-some-groups")`
  SELECT id FROM data_entity WHERE type_id = 22 ORDER BY id LIMIT $1`;

export const someTerms = statement<{ id: number }>("bench-catalogue-some-terms")`
  SELECT id FROM term ORDER BY id LIMIT $1`;
