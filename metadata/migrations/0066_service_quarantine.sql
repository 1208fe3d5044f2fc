-- Services and hosts of which no entities can be composed or posted: set aside, so that all others are
-- published as usual. A row goes when composing succeeds, which is tried again when an edge of the
-- subject changes, or when somebody releases it.
CREATE TABLE service_quarantine (
  kind      text NOT NULL CHECK (kind IN ('service', 'host')),
  namespace text,
  name      text NOT NULL,
  -- What composing or posting it said last.
  cause     text NOT NULL,
  attempts  bigint NOT NULL DEFAULT 1,
  since     timestamptz(3) NOT NULL,
  tried_at  timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX service_quarantine_key
  ON service_quarantine (name, coalesce(namespace, ''), (namespace IS NULL), kind);
CREATE INDEX service_quarantine_tried ON service_quarantine (tried_at);
