-- Query history of sources: lineage of statements, and how often datasets are read.
ALTER TABLE connection
  ADD COLUMN usage_at       timestamptz(3),              -- when counters were read to their end; null: never
  ADD COLUMN usage_complete boolean NOT NULL DEFAULT false; -- whether they were all of them

-- What a source lists only now and then is gone when it was not seen until then.
ALTER TABLE connection_item ADD COLUMN retain_until timestamptz(3);

-- Counters of statements as the last run found them: what they grow by is usage.
CREATE TABLE connection_statement (
  connection_id bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  key           text COLLATE "C" NOT NULL,
  calls         bigint NOT NULL,
  since         timestamptz(3),                          -- when the counter began; null: unknown
  run_id        bigint NOT NULL,                         -- the run that saw it last
  PRIMARY KEY (connection_id, key)
) WITH (fillfactor = 80);

-- Between which moments the reads of a day (UTC) were counted.
CREATE TABLE connection_usage_day (
  connection_id bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  day           date NOT NULL,
  from_at       timestamptz(3) NOT NULL,
  until_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (connection_id, day)
);

-- Reads of datasets by the day on which they were counted. The dataset may not be in the catalogue yet.
CREATE TABLE dataset_usage (
  connection_id bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  catrn         text COLLATE "C" NOT NULL,
  day           date NOT NULL,
  role          text NOT NULL DEFAULT '',                -- empty unless the connection stores names of roles
  reads         bigint NOT NULL,
  PRIMARY KEY (connection_id, catrn, day, role)
) WITH (fillfactor = 80);

-- The same summed up over the window.
CREATE TABLE entity_usage (
  entity_id     bigint PRIMARY KEY REFERENCES data_entity ON DELETE CASCADE,
  connection_id bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  reads         bigint NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX entity_usage_most ON entity_usage (reads DESC, entity_id);
CREATE INDEX entity_usage_connection ON entity_usage (connection_id);
