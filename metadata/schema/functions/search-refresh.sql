-- Documents that are rebuilt soon after what they show has changed, by a worker, in portions.

-- Has the documents of these rebuilt soon after; `document`: of which kind they are.
DROP FUNCTION IF EXISTS queue_search_documents(bigint[]);
CREATE OR REPLACE FUNCTION queue_search_documents(ids bigint[], document text DEFAULT 'entity')
  RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_document_queue (ids, document)
  SELECT array_agg(id ORDER BY id), queue_search_documents.document
    FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1) / 500 AS portion
            FROM unnest(queue_search_documents.ids) AS id) numbered
   GROUP BY portion ORDER BY portion;
  NOTIFY search_refresh;
END $$;

-- Queued by the tables themselves, so that no way of renaming forgets it; a second rename of one thing
-- starts over, behind what waits already. Arguments of the trigger: the kinds of documents that show the name.
CREATE OR REPLACE FUNCTION queue_search_refresh() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_refresh_queue (kind, subject_id, document)
  SELECT TG_TABLE_NAME, NEW.id, unnest(TG_ARGV)
  ON CONFLICT (kind, subject_id, document)
  DO UPDATE SET id = DEFAULT, after_id = 0, queued_at = now();
  NOTIFY search_refresh;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_refresh AFTER UPDATE ON namespace FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION queue_search_refresh('entity', 'term');
CREATE OR REPLACE TRIGGER search_refresh AFTER UPDATE ON data_source FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.namespace_id IS DISTINCT FROM NEW.namespace_id)
  EXECUTE FUNCTION queue_search_refresh('entity');
CREATE OR REPLACE TRIGGER search_refresh AFTER UPDATE ON tag FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION queue_search_refresh('entity', 'term');
CREATE OR REPLACE TRIGGER search_refresh AFTER UPDATE ON owner FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION queue_search_refresh('entity', 'term');
CREATE OR REPLACE TRIGGER search_refresh AFTER UPDATE ON title FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION queue_search_refresh('entity', 'term');
-- The term's own document is written with the term.
CREATE OR REPLACE TRIGGER search_refresh AFTER UPDATE ON term FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION queue_search_refresh('entity');
