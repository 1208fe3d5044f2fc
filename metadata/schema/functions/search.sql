-- Full-text search over entities: their documents, and how these follow what they show. What a word is, is said in
-- search-words.sql.

-- What an entity is found by of its data source and namespace, with the parts of their names: they are the same for many
-- entities, so they are words apart from those that an entity has of its own.
CREATE OR REPLACE FUNCTION search_source_names(source text, namespace text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT concat_ws(' ', source, namespace, search_camel(concat_ws(' ', source, namespace)))
$$;

-- What an entity is found by of its CATRN: the names of what it is in (database, schema, folder), so that `hr.orders` finds
-- it. From the end every other segment is a name, and before it stands of what kind; where that does not come out even, all
-- but the last are names.
CREATE OR REPLACE FUNCTION search_path(catrn text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  segments text[] := string_to_array(ltrim(catrn, '/'), '/');
  path text;
BEGIN
  FOR n IN 1 .. coalesce(cardinality(segments), 0) - 1 LOOP
    IF cardinality(segments) % 2 = 0 OR n % 2 = 1 THEN
      path := concat_ws(' ', path, search_decoded(segments[n]));
    END IF;
  END LOOP;
  RETURN path;
END $$;

-- A segment of a CATRN without percent-encoding; as it is if it only looks encoded.
CREATE OR REPLACE FUNCTION search_decoded(segment text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN strpos(segment, '%') = 0 THEN segment ELSE search_decoded_bytes(segment) END
$$;
CREATE OR REPLACE FUNCTION search_decoded_bytes(segment text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT convert_from(string_agg(CASE WHEN m[1] IS NULL THEN convert_to(m[2], 'UTF8') ELSE decode(m[1], 'hex') END, ''
             ORDER BY n), 'UTF8')
      FROM regexp_matches(segment, '%([0-9A-Fa-f]{2})|([^%]+|%)', 'g') WITH ORDINALITY AS s (m, n));
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN segment;
END $$;

-- Every text that an entity is found by, in the columns of the weight that its words have. Identifiers
-- are looked at for parts; prose and `d` are not. It always goes from the ids along the indexes: while a
-- new catalogue fills, what the planner knows of it would have it read all tables.
CREATE OR REPLACE FUNCTION search_texts(ids bigint[])
  RETURNS TABLE (entity_id bigint, a text, b text, b_prose text, c text, c_prose text, d text)
LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  SELECT e.id, NULL, NULL, search_source_names(s.name, n.name), NULL, NULL,
         concat_ws(' ', s.catrn, search_path(e.catrn))
    FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
      LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)
    WHERE e.id = ANY(ids)
  UNION ALL
  SELECT id, concat_ws(' ', internal_name, external_name), NULL,
         concat_ws(' ', internal_description, external_description), NULL, NULL, NULL
    FROM data_entity WHERE id = ANY(ids)
  UNION ALL
  SELECT x.entity_id, NULL, tag.name, NULL, NULL, NULL, NULL
    FROM entity_tag x JOIN tag ON tag.id = x.tag_id WHERE x.entity_id = ANY(ids)
  UNION ALL
  SELECT x.entity_id, NULL, term.name, NULL, NULL, NULL, NULL
    FROM entity_term x JOIN term ON term.id = x.term_id WHERE x.entity_id = ANY(ids)
  UNION ALL
  SELECT v.entity_id, NULL, NULL, NULL, f.name, NULL, v.value
    FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id WHERE v.entity_id = ANY(ids)
  UNION ALL
  SELECT o.entity_id, NULL, NULL, NULL, owner.name, NULL, title.name
    FROM ownership o JOIN owner ON owner.id = o.owner_id LEFT JOIN title ON title.id = o.title_id
    WHERE o.entity_id = ANY(ids)
  UNION ALL
  SELECT f.dataset_id, NULL, NULL, NULL, concat_ws(' ', f.internal_name, f.name),
         concat_ws(' ', f.internal_description, f.external_description), NULL
    FROM latest_fields(ids) x JOIN dataset_field f ON f.id = x.field_id
  UNION ALL
  SELECT f.dataset_id, NULL, NULL, NULL, NULL, tag.name, NULL
    FROM latest_fields(ids) x JOIN dataset_field f ON f.id = x.field_id
      JOIN field_tag ft ON ft.field_id = f.id
      JOIN tag ON tag.id = ft.tag_id
$$;

-- The search documents of these entities. Each step is a query of its own, whose columns the functions
-- of the next are given, so that they are expressions and no calls: there are thousands of them a
-- batch. OFFSET 0 keeps the steps apart.
--
-- Texts are cut before and after they are taken apart, since beyond ASCII words are longer than their text.
-- A vector of 480 kB of words stays below 1 MB whatever they are. Names, sources and CATRNs have their share,
-- names of columns may take all the rest before descriptions and values do. Where they find no room they are
-- `named`, all of them: they get rows of their own (search-parts.sql), and none is cut.
DROP FUNCTION IF EXISTS search_documents(bigint[]);
CREATE OR REPLACE FUNCTION search_documents(ids bigint[])
  RETURNS TABLE (entity_id bigint, vector tsvector, named text, cut_bytes integer)
LANGUAGE sql STABLE AS $$
  SELECT entity_id,
         setweight(to_tsvector('simple', a), 'A') || setweight(to_tsvector('simple', b), 'B') ||
         setweight(to_tsvector('simple', c), 'C') || setweight(to_tsvector('simple', d), 'D'),
         named, cut_bytes
  FROM (SELECT entity_id, search_cut(a, 16000) AS a, search_cut(b, 64000) AS b, search_cut(c, c_bytes) AS c,
               search_cut(d, d_bytes) AS d, named, cut_bytes +
               greatest(octet_length(a) - 16000, 0) + greatest(octet_length(b) - 64000, 0) +
               greatest(octet_length(c) - c_bytes, 0) + greatest(octet_length(d) - d_bytes, 0) AS cut_bytes
  FROM (SELECT entity_id, search_words(a) AS a, search_words(b) AS b, search_words(c) AS c,
               search_words(d) AS d, named, cut_bytes, c_bytes, d_bytes
  FROM (SELECT entity_id, search_cut(a, 16000) AS a, search_cut(b, 64000) AS b,
               search_cut(c, c_bytes) AS c, search_cut(d, d_bytes) AS d,
               CASE WHEN octet_length(named) > c_bytes THEN named END AS named, c_bytes, d_bytes,
               greatest(octet_length(a) - 16000, 0) + greatest(octet_length(b) - 64000, 0) +
               greatest(octet_length(c) - greatest(octet_length(named), c_bytes), 0) +
               greatest(octet_length(d) - d_bytes, 0) AS cut_bytes
  FROM (SELECT *, least(100000, 4000 + c_bytes - least(octet_length(c), c_bytes)) AS d_bytes
  FROM (SELECT *, concat_ws(' ', named, c_prose) AS c,
               476000 - least(octet_length(a), 16000) - least(octet_length(b), 64000) AS c_bytes
  FROM (SELECT entity_id, concat_ws(' ', a, search_camel(a)) AS a,
               concat_ws(' ', b, search_camel(b), b_prose) AS b,
               concat_ws(' ', c, search_camel(c)) AS named, c_prose, coalesce(d, '') AS d
  FROM (SELECT x.entity_id, string_agg(x.a, ' ') AS a,
               string_agg(x.b, ' ') AS b, string_agg(x.b_prose, ' ') AS b_prose,
               string_agg(x.c, ' ') AS c, string_agg(x.c_prose, ' ') AS c_prose,
               string_agg(x.d, ' ') AS d
          FROM search_texts(ids) x GROUP BY x.entity_id
       ) joined OFFSET 0) texts OFFSET 0) rooms OFFSET 0) shares OFFSET 0) cut OFFSET 0) words OFFSET 0) kept
$$;

-- Rebuilds the documents of these entities; those that are hollow, excluded or gone lose theirs. Locks
-- the entities in id order first, so that two who refresh one entity leave the newer document. For one
-- entity the plan takes longer than the work: it is made once a connection, along the indexes, and without parallel
-- workers, which take longer to start than most batches need.
CREATE OR REPLACE FUNCTION rewrite_search_documents(ids bigint[]) RETURNS void
  LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET max_parallel_workers_per_gather = 0 AS $$
DECLARE wanted bigint[];
BEGIN
  SELECT coalesce(array_agg(id) FILTER (WHERE NOT hollow AND NOT excluded_from_search), '{}')
    INTO wanted
    FROM (SELECT id, hollow, excluded_from_search FROM data_entity
          WHERE id = ANY(ids) ORDER BY id FOR NO KEY UPDATE) locked;
  DELETE FROM search_document WHERE entity_id = ANY(ARRAY(
    SELECT unnest(ids) EXCEPT SELECT unnest(wanted)));
  WITH s AS MATERIALIZED (SELECT * FROM search_documents(wanted)),
  part AS (SELECT s.entity_id, p.part, p.vector
             FROM s CROSS JOIN LATERAL search_parts(s.vector, s.named) p WHERE s.named IS NOT NULL),
  document AS (
  INSERT INTO search_document AS d (entity_id, data_source_id, namespace_id, type_id, status,
    manually_created, class_ids, cut_bytes, name, names, vector)
  SELECT e.id, e.data_source_id, e.namespace_id, e.type_id, e.status, e.manually_created, e.class_ids,
         s.cut_bytes, search_name(coalesce(e.internal_name, e.external_name, '')),
         ts_filter(s.vector, '{a}'), s.vector
    FROM s JOIN data_entity e ON e.id = s.entity_id
  ON CONFLICT (entity_id) DO UPDATE
    SET data_source_id = excluded.data_source_id, namespace_id = excluded.namespace_id,
        type_id = excluded.type_id, status = excluded.status,
        manually_created = excluded.manually_created, class_ids = excluded.class_ids,
        cut_bytes = excluded.cut_bytes, name = excluded.name, names = excluded.names,
        vector = excluded.vector
  WHERE d.vector IS DISTINCT FROM excluded.vector
     OR (d.data_source_id, d.namespace_id, d.type_id, d.status, d.manually_created, d.class_ids,
         d.cut_bytes, d.name)
        IS DISTINCT FROM (excluded.data_source_id, excluded.namespace_id, excluded.type_id,
         excluded.status, excluded.manually_created, excluded.class_ids, excluded.cut_bytes,
         excluded.name)),
  written AS (
  INSERT INTO search_document_part AS p (entity_id, part, vector) SELECT * FROM part
  ON CONFLICT (entity_id, part) DO UPDATE SET vector = excluded.vector
  WHERE p.vector IS DISTINCT FROM excluded.vector)
  DELETE FROM search_document_part p
   WHERE p.entity_id = ANY(wanted)
     AND NOT EXISTS (SELECT FROM part x WHERE x.entity_id = p.entity_id AND x.part = p.part);
END $$;

-- The same, and parts of the words of their names are found. Reading all names of columns again takes a sixth of the time of
-- the documents, so who knows the names learns them instead.
CREATE OR REPLACE FUNCTION refresh_search_documents(ids bigint[]) RETURNS void
  LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET max_parallel_workers_per_gather = 0 AS $$
BEGIN
  PERFORM rewrite_search_documents(ids);
  PERFORM search_learn(ARRAY(SELECT search_stems(ARRAY(
    SELECT unnest(ARRAY[internal_name, external_name]) FROM data_entity
     WHERE id = ANY(ids) AND NOT hollow AND NOT excluded_from_search
     UNION
    SELECT unnest(ARRAY[f.internal_name, f.name])
      FROM latest_fields(ids) x JOIN dataset_field f ON f.id = x.field_id))));
END $$;

-- Copies in a document follow their entity at once, whoever changes it; words follow by a refresh.
CREATE OR REPLACE FUNCTION follow_searched_entity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.hollow OR NEW.excluded_from_search THEN
    DELETE FROM search_document WHERE entity_id = NEW.id;
  ELSE
    UPDATE search_document
       SET data_source_id = NEW.data_source_id, namespace_id = NEW.namespace_id,
           type_id = NEW.type_id, status = NEW.status,
           manually_created = NEW.manually_created, class_ids = NEW.class_ids
     WHERE entity_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

-- Asked of the columns that a statement sets, so that ingested entities that stay as they are cost nothing.
CREATE OR REPLACE TRIGGER search_copies
  AFTER UPDATE OF data_source_id, namespace_id, type_id, status, manually_created, class_ids, hollow,
    excluded_from_search ON data_entity FOR EACH ROW
  WHEN ((OLD.data_source_id, OLD.namespace_id, OLD.type_id, OLD.status, OLD.manually_created,
         OLD.class_ids, OLD.hollow, OLD.excluded_from_search)
        IS DISTINCT FROM (NEW.data_source_id, NEW.namespace_id, NEW.type_id, NEW.status,
         NEW.manually_created, NEW.class_ids, NEW.hollow, NEW.excluded_from_search))
  EXECUTE FUNCTION follow_searched_entity();
