-- A vector holds 1 MB, which names of columns of a wide dataset exceed: such a dataset has its words in rows of their own too.
CREATE TABLE search_document_part (
  entity_id bigint REFERENCES search_document ON DELETE CASCADE,
  -- 0: the words of the document; from 1: those of all columns.
  part      integer,
  vector    tsvector NOT NULL,
  PRIMARY KEY (entity_id, part)
);
ALTER TABLE search_document_part ALTER vector SET STATISTICS 0;
-- Written seldom, and read by every search once it has a row: without the list of new words that a search would read whole.
CREATE INDEX search_document_part_vector ON search_document_part USING gin (vector) WITH (fastupdate = off);

-- What was cut before is indexed now.
INSERT INTO search_document_queue (ids, document)
SELECT array_agg(entity_id ORDER BY entity_id), 'entity'
  FROM (SELECT entity_id, (row_number() OVER (ORDER BY entity_id) - 1) / 500 AS portion
          FROM search_document WHERE cut_bytes > 0) numbered
 GROUP BY portion ORDER BY portion;
