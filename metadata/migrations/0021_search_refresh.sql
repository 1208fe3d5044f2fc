-- Renames whose entities wait for new search documents. One row for each renamed thing; `after_id` is
-- how far its entities were refreshed, in order of id.
CREATE TABLE search_refresh_queue (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind       text NOT NULL CHECK (kind IN ('namespace', 'data_source', 'tag', 'owner', 'title')),
  subject_id bigint NOT NULL,
  after_id   bigint NOT NULL DEFAULT 0,
  queued_at  timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (kind, subject_id)
);

-- Queued by the tables themselves, so that no way of renaming forgets it; a second rename of one thing
-- starts over.
CREATE FUNCTION queue_search_refresh() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_refresh_queue (kind, subject_id) VALUES (TG_TABLE_NAME, NEW.id)
  ON CONFLICT (kind, subject_id) DO UPDATE SET after_id = 0, queued_at = now();
  NOTIFY search_refresh;
  RETURN NULL;
END $$;

CREATE TRIGGER search_refresh AFTER UPDATE ON namespace FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION queue_search_refresh();
CREATE TRIGGER search_refresh AFTER UPDATE ON data_source FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.namespace_id IS DISTINCT FROM NEW.namespace_id)
  EXECUTE FUNCTION queue_search_refresh();
CREATE TRIGGER search_refresh AFTER UPDATE ON tag FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION queue_search_refresh();
CREATE TRIGGER search_refresh AFTER UPDATE ON owner FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION queue_search_refresh();
CREATE TRIGGER search_refresh AFTER UPDATE ON title FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION queue_search_refresh();
