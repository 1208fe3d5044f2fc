-- What the SQL of an entity was last read with. It is read again when `fingerprint`, which sql_fingerprint gives, is
-- another one, or when not `edges` column edges of origin 1 stand by it: they were ended by something else. While it
-- is read, `outcome` is 'reading'; where that stays, the process has ended, and `attempts` tells how often.
-- Cascading, since the release before purges entities without knowing of it.
CREATE TABLE sql_reading (
  entity_id   bigint PRIMARY KEY REFERENCES data_entity ON DELETE CASCADE,
  fingerprint text COLLATE "C" NOT NULL,
  outcome     text COLLATE "C" NOT NULL,
  edges       integer NOT NULL,
  attempts    integer NOT NULL DEFAULT 0,
  read_at     timestamptz(3) NOT NULL DEFAULT now()
);
