-- The run that started a run, by whose tasks the status of a run is known that sends no events itself.
ALTER TABLE ol_run ADD COLUMN parent_run text COLLATE "C";
CREATE INDEX ol_run_parent ON ol_run (parent_run) WHERE parent_run IS NOT NULL;
-- The name under which what leaves goes on, so that what people wrote on it goes there.
ALTER TABLE ol_leaving ADD COLUMN successor text COLLATE "C";
