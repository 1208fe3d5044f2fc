import { statement } from "#metadata/postgres/statement.ts";
import { words } from "./items.ts";

// The rows of entities $1 to $2, as batches would leave them: of five, four are tables of ten columns and the last is a job that reads
// the two before it and writes the first of the next five.

const list = `(ARRAY[${words.map((word) => `'${word}'`).join(",")}])`;
const nameOf =
  `${list}[1 + n % ${words.length}] || '_' || ${list}[1 + n / ${words.length} % ${words.length}]`;

export const tags = statement("bench-growth-tags")`
  INSERT INTO tag (name) SELECT 'grown ' || n FROM generate_series(1, 200) n`;

export const entities = statement("bench-growth-entities")`
  INSERT INTO data_entity (catrn, data_source_id, type_id, class_ids, external_name, external_description,
                           last_ingested_at, attributes)
  SELECT '//bench/grown/' || n, (SELECT id FROM data_source WHERE catrn = '//bench/growth_' || n % 4),
         CASE WHEN n % 5 = 4 THEN 5 ELSE 1 END, CASE WHEN n % 5 = 4 THEN '{2}' ELSE '{1}' END::integer[],
         ${nameOf} || '_' || n, 'Rows of ' || ${nameOf} || ', part ' || n || ': what was sold, when, at what price.',
         now(), '{"dataset": {}}'
    FROM generate_series($1::bigint, $2::bigint) n ORDER BY n`;

const numbered = `
  (SELECT e.id, n FROM generate_series($1::bigint, $2::bigint) n JOIN data_entity e ON e.catrn = '//bench/grown/' || n) e`;

export const fields = statement("bench-growth-fields")`
  WITH made AS (
    INSERT INTO dataset_field (dataset_id, catrn, name, external_description, type, is_nullable, hash)
    SELECT e.id, '//bench/grown/' || n || '/columns/column_' || f, 'column_' || f, 'Column ' || f || ' of the table',
           'TYPE_STRING', true, ''
      FROM ${numbered}, generate_series(1, 10) f WHERE n % 5 <> 4 ORDER BY e.id, f
    RETURNING id, dataset_id)
  INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
  SELECT dataset_id, 1, 'bench', array_agg(id ORDER BY id) FROM made GROUP BY dataset_id`;

export const details = statement("bench-growth-details")`
  WITH tagged AS (
    INSERT INTO entity_tag (entity_id, tag_id, origin)
    SELECT e.id, t.id, 'EXTERNAL' FROM ${numbered}, unnest(ARRAY[1 + n % 200, 1 + n / 7 % 200]) x
      JOIN tag t ON t.name = 'grown ' || x ON CONFLICT DO NOTHING)
  INSERT INTO activity (event_type, entity_id, created_at, created_by, old_state, new_state, system_event)
  SELECT 'DATA_ENTITY_CREATED', e.id, now(), NULL, '{}',
         jsonb_build_object('data_entity', jsonb_build_object('id', e.id, 'catrn', '//bench/grown/' || n)), true
    FROM ${numbered}`;

export const edges = statement("bench-growth-edges")`
  WITH job AS (SELECT id, n FROM ${numbered} WHERE n % 5 = 4 AND n - 4 >= $1 AND n + 1 <= $2),
  pairs AS (
    SELECT j.id AS job, p.id AS parent, j.id AS child FROM job j, generate_series(j.n - 2, j.n - 1) m
      JOIN data_entity p ON p.catrn = '//bench/grown/' || m
    UNION ALL
    SELECT j.id, j.id, c.id FROM job j JOIN data_entity c ON c.catrn = '//bench/grown/' || j.n + 1)
  INSERT INTO lineage_edge (establisher_id, parent_id, child_id)
  SELECT job, parent, child FROM pairs ON CONFLICT DO NOTHING`;

export const documents = statement("bench-growth-documents")`
  SELECT refresh_search_documents(ARRAY(SELECT id FROM ${numbered}))`;
