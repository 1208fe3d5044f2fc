-- What of OpenLineage events was refused or left out: the newest thousand kinds of it, counted. Never what was sent.
CREATE TABLE openlineage_complaint (
  -- A digest of the four texts.
  id        uuid PRIMARY KEY,
  -- Of the job or dataset; empty where none could be told.
  namespace text NOT NULL,
  name      text NOT NULL,
  kind      text NOT NULL,
  reason    text NOT NULL,
  count     bigint NOT NULL,
  first_at  timestamptz(3) NOT NULL,
  last_at   timestamptz(3) NOT NULL
);
CREATE INDEX openlineage_complaint_newest ON openlineage_complaint (last_at DESC, id);
