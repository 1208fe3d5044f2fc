-- Words of names, each once, by which parts of words are found. It has no key: those who add the same word at the same
-- time do not wait for each other.
CREATE TABLE search_word (
  word        text COLLATE "C" NOT NULL,
  -- The parts that begin within the word, as lexemes.
  inner_parts tsvector NOT NULL
);
ALTER TABLE search_word ALTER inner_parts SET STATISTICS 0;
CREATE INDEX search_word_word ON search_word (word);
CREATE INDEX search_word_inner ON search_word USING gin (inner_parts) WITH (fastupdate = off);

-- Documents have other words from now on: letters without diacritics, parts of runs of Chinese and Japanese letters, the
-- names in CATRNs. All are rebuilt in the background; until then they are found by the words that they have.
INSERT INTO search_document_queue (ids, document)
SELECT array_agg(id ORDER BY id), document
  FROM (SELECT id, document, (row_number() OVER (PARTITION BY document ORDER BY id) - 1) / 500 AS portion
          FROM (SELECT entity_id AS id, 'entity' AS document FROM search_document
                UNION ALL SELECT term_id, 'term' FROM term_document
                UNION ALL SELECT example_id, 'query_example' FROM query_example_document
                UNION ALL SELECT table_id, 'lookup_table' FROM lookup_document) documents) numbered
 GROUP BY document, portion ORDER BY document DESC, portion;
