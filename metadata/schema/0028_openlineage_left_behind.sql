-- What a run was posted as when it was composed last: the job that it stands under, and the tests that it made. What it
-- no longer is posted as leaves.
-- ol_run.events counts different events from now on, each once and at most 100, by ids that the state holds.
ALTER TABLE ol_run ADD COLUMN posted_job text COLLATE "C";
ALTER TABLE ol_run ADD COLUMN tests text[] COLLATE "C" NOT NULL DEFAULT '{}';
CREATE INDEX ol_run_tests ON ol_run USING gin (tests) WHERE tests <> '{}';
