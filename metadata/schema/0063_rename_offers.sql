-- Assets that a connection no longer finds, while others with the same columns appear: probably renamed.
ALTER TABLE connection_item
  ADD COLUMN shape        bytea,                         -- hash of type and columns; null: it has none
  ADD COLUMN added_run_id bigint;                        -- the run that found it first; null: before this was stored

CREATE TABLE rename_offer (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  connection_id bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  run_id        bigint NOT NULL,
  old_id        bigint NOT NULL REFERENCES data_entity ON DELETE CASCADE,
  new_catrn     text COLLATE "C" NOT NULL,               -- may not be in the catalogue yet
  columns       integer NOT NULL,
  found_at      timestamptz(3) NOT NULL DEFAULT now(),
  decision      text CHECK (decision IN ('CARRIED_OVER', 'DISMISSED')), -- null: open
  decided_by    text,
  decided_at    timestamptz(3),
  UNIQUE (old_id, new_catrn)
);
CREATE INDEX rename_offer_connection ON rename_offer (connection_id, id) WHERE decision IS NULL;
CREATE INDEX rename_offer_new ON rename_offer (new_catrn) WHERE decision IS NULL;
