-- The run that a task's alerts were last judged by: an older one that comes later judges nothing.
-- Times are ends of runs, or starts where no end is known.
CREATE TABLE judged_run (
  task_id bigint NOT NULL REFERENCES data_entity,
  kind    text NOT NULL CHECK (kind IN ('TRANSFORMER', 'TEST')),
  catrn   text COLLATE "C" NOT NULL,
  ran_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (task_id, kind)
);
