/** $1: number of entities, $2: of fields. Draws their ids before anything is timed. */
export const draw = `
  SELECT ARRAY(SELECT nextval(pg_get_serial_sequence('data_entity', 'id'))
           FROM generate_series(1, $1::int)) AS entities,
         ARRAY(SELECT nextval(pg_get_serial_sequence('dataset_field', 'id'))
           FROM generate_series(1, $2::int)) AS fields`;

export const entities = `
  INSERT INTO data_entity (id, catrn, type_id, class_ids, external_name, external_description,
    content_hash, attributes, data_source_id, received_at, batch, last_ingested_at)
    OVERRIDING SYSTEM VALUE
  SELECT id, catrn, type_id, classes::smallint[], name, description, decode(hash, 'hex'),
    attributes::jsonb, $8::bigint, now(), $9::text, now()
    FROM unnest($1::bigint[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::text[],
      $7::text[], $10::text[]) AS t (id, catrn, type_id, classes, name, description, hash, attributes)`;

export const tags = `
  INSERT INTO entity_tag (entity_id, tag_id, origin)
  SELECT entity, tag.id, 'EXTERNAL' FROM unnest($1::bigint[], $2::text[]) AS t (entity, name)
    JOIN tag USING (name)`;

export const metadata = `
  INSERT INTO metadata_value (entity_id, field_id, value)
  SELECT entity, f.id, value FROM unnest($1::bigint[], $2::text[], $3::text[]) AS t (entity, name, value)
    JOIN metadata_field f USING (name)`;

export const versions = `
  INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
  SELECT dataset, 1, hash, fields::bigint[]
    FROM unnest($1::bigint[], $2::text[], $3::text[]) AS t (dataset, hash, fields)`;

export const fields = `
  INSERT INTO dataset_field (id, dataset_id, catrn, name, external_description, type, logical_type,
    is_nullable, is_primary_key, hash) OVERRIDING SYSTEM VALUE
  SELECT id, dataset, catrn, name, description, type, logical_type, is_nullable, is_primary_key,
    decode(hash, 'hex')
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::boolean[], $9::boolean[], $10::text[])
      AS t (id, dataset, catrn, name, description, type, logical_type, is_nullable, is_primary_key, hash)`;

export const fieldTags = `
  INSERT INTO field_tag (field_id, tag_id, origin)
  SELECT field, tag.id, 'EXTERNAL' FROM unnest($1::bigint[], $2::text[]) AS t (field, name)
    JOIN tag USING (name)`;

export const edges = `
  INSERT INTO lineage_edge (establisher_id, parent_id, child_id)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])`;

export const activity = `
  INSERT INTO activity (event_type, entity_id, system_event, old_state, new_state)
  SELECT 'DATA_ENTITY_CREATED', entity, true, '{}', state::jsonb
    FROM unnest($1::bigint[], $2::text[]) AS t (entity, state)`;

export const search = "SELECT refresh_search_documents($1::bigint[])";

export const batch = `
  INSERT INTO applied_batch (batch, part, outcome, position)
  VALUES ($1, 0, 'applied', lineage_append($2::bigint[]))`;

/** Row counts of the tables that both sides fill; they must agree. */
export const counts = `
  SELECT (SELECT count(*) FROM data_entity) AS data_entity,
         (SELECT count(*) FROM entity_tag) AS entity_tag,
         (SELECT count(*) FROM metadata_value) AS metadata_value,
         (SELECT count(*) FROM dataset_version) AS dataset_version,
         (SELECT count(*) FROM dataset_field) AS dataset_field,
         (SELECT count(*) FROM dataset_version_field) AS dataset_version_field,
         (SELECT count(*) FROM field_tag) AS field_tag,
         (SELECT count(*) FROM lineage_edge) AS lineage_edge,
         (SELECT count(*) FROM search_document) AS search_document,
         (SELECT count(*) FROM activity) AS activity`;

/** Merges nodes and relationships of `$pairs`. Label and type are derived from the instance name. */
export const unwind = (label: string, type: string) => `
  UNWIND $pairs AS pair
  MERGE (a:\`${label}\` {id: pair[0]})
  MERGE (b:\`${label}\` {id: pair[1]})
  MERGE (a)-[:\`${type}\`]->(b)`;
