-- Search reads search documents alone: a document has copies of what searches narrow and count by, and
-- its rows are short, so that thousands of them are a few pages.

ALTER TABLE search_document RENAME TO search_document_before;
ALTER INDEX search_document_pkey RENAME TO search_document_before_pkey;
DROP INDEX search_document_cut, search_document_vector;

CREATE TABLE search_document (
  entity_id        bigint PRIMARY KEY,
  -- As in data_entity.
  data_source_id   bigint,
  namespace_id     bigint,
  type_id          smallint,
  status           smallint NOT NULL,
  manually_created boolean NOT NULL,
  class_ids        smallint[] NOT NULL,
  -- Bytes of text that had no room in the vector.
  cut_bytes        integer NOT NULL DEFAULT 0,
  -- What is shown as the name, as words; and the part of the vector that stems from names.
  name             text NOT NULL,
  names            tsvector NOT NULL,
  vector           tsvector NOT NULL,
  -- Spaces alone, by which a row is longer than 2 kB: PostgreSQL then moves the vector out of it, and presses
  -- the spaces into a few bytes. Shorter rows would keep their vectors, which only the best matches need.
  room             character(2040) NOT NULL DEFAULT ''
) WITH (toast_tuple_target = 256, fillfactor = 90);
ALTER TABLE search_document
  ALTER name SET STORAGE MAIN, ALTER names SET STORAGE MAIN, ALTER room SET STORAGE MAIN,
  ALTER vector SET STORAGE EXTERNAL,
  -- Without statistics the planner takes every search for a narrow one, and never reads all vectors to find out.
  ALTER vector SET STATISTICS 0;

INSERT INTO search_document
SELECT e.id, e.data_source_id, e.namespace_id, e.type_id, e.status, e.manually_created, e.class_ids,
       d.cut_bytes,
       left(lower(translate(coalesce(e.internal_name, e.external_name, ''), '_./-@+&<', '        ')), 200),
       ts_filter(d.vector, '{a}'), d.vector
  FROM search_document_before d JOIN data_entity e ON e.id = d.entity_id
 WHERE NOT e.hollow AND NOT e.excluded_from_search
 ORDER BY e.id;
DROP TABLE search_document_before;

CREATE INDEX search_document_cut ON search_document (entity_id) WHERE cut_bytes > 0;
-- New words wait in a list that every search reads too, so nothing is found late; beyond 1 MB they are
-- sorted in together, which costs a fraction of one after the other.
CREATE INDEX search_document_vector ON search_document USING gin (vector)
  WITH (fastupdate = on, gin_pending_list_limit = 1024);

-- Letters beyond ASCII are put into lower case by functions that are not there yet.
INSERT INTO search_document_queue (ids, document)
SELECT array_agg(entity_id ORDER BY entity_id), 'entity'
  FROM (SELECT entity_id, (row_number() OVER (ORDER BY entity_id) - 1) / 500 AS portion
          FROM search_document WHERE octet_length(name) <> char_length(name)) numbered
 GROUP BY portion ORDER BY portion;
