-- What clients that follow the catalogue are told of, for about an hour. It is read in the order of (xid, id), and only
-- below the oldest transaction that still runs: so what commits late is never passed over, and no writer waits for
-- another. No keys into the catalogue, which it outlives.
CREATE TABLE change (
  -- The transaction that made it.
  xid         xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id          bigint GENERATED ALWAYS AS IDENTITY,
  occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  kind        text NOT NULL CHECK (kind IN ('beginning', 'alert', 'activity', 'ingestion')),
  event_type  text,
  -- NULL as well where one row tells of many.
  entity_id   bigint,
  alert_id    bigint,
  source_id   bigint,
  -- Further members of what is told.
  details     jsonb,
  PRIMARY KEY (xid, id)
);

-- Of the rows that are kept the oldest marks where knowledge begins; itself it is told to nobody.
INSERT INTO change (kind) VALUES ('beginning');
