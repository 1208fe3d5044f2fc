-- Search documents in eight partitions. The index lists all assets that have a word, and a search reads such a list whole, however long;
-- with a list in each partition it leaves the other partitions unread as soon as it has counted enough.

ALTER TABLE search_document RENAME TO search_document_before;
ALTER INDEX search_document_pkey RENAME TO search_document_before_pkey;
DROP INDEX search_document_cut, search_document_name, search_document_names, search_document_vector;

CREATE TABLE search_document (LIKE search_document_before INCLUDING DEFAULTS INCLUDING STORAGE)
  PARTITION BY HASH (entity_id);
DO $$
BEGIN
  FOR n IN 0..7 LOOP
    EXECUTE format('CREATE TABLE search_document_%1$s PARTITION OF search_document
      FOR VALUES WITH (MODULUS 8, REMAINDER %1$s) WITH (toast_tuple_target = 256, fillfactor = 90)', n);
    -- As before: without statistics the planner takes every search for a narrow one.
    EXECUTE format('ALTER TABLE search_document_%s ALTER vector SET STATISTICS 0', n);
  END LOOP;
END $$;

INSERT INTO search_document SELECT * FROM search_document_before ORDER BY entity_id;

ALTER TABLE search_document ADD PRIMARY KEY (entity_id);
CREATE INDEX search_document_cut ON search_document (entity_id) WHERE cut_bytes > 0;
CREATE INDEX search_document_name ON search_document (name text_pattern_ops);
-- The lists of words that wait, which every search reads, are together as long as the one before.
CREATE INDEX search_document_names ON search_document USING gin (names)
  WITH (fastupdate = on, gin_pending_list_limit = 128);
CREATE INDEX search_document_vector ON search_document USING gin (vector)
  WITH (fastupdate = on, gin_pending_list_limit = 128);

ALTER TABLE search_document_part
  DROP CONSTRAINT search_document_part_entity_id_fkey,
  ADD FOREIGN KEY (entity_id) REFERENCES search_document ON DELETE CASCADE;
DROP TABLE search_document_before;
