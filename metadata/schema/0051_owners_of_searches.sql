-- Whose share a search session uses (`shareOf`), whether only that caller may change it (somebody who has signed in), and
-- how large it is. NULL: made by an older release; it counts for nobody, and whoever knows its id may change it.
ALTER TABLE search_session
  ADD COLUMN share text,
  ADD COLUMN personal boolean NOT NULL DEFAULT false,
  ADD COLUMN bytes integer NOT NULL DEFAULT 0;
CREATE INDEX search_session_share ON search_session (share, last_accessed);
