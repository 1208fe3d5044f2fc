-- Figures of the instance over the last day, for operators: a row for each minute and series.
CREATE TABLE ops_sample (
  -- The minute.
  sampled_at timestamptz(0) NOT NULL,
  -- `lag/<group>/<topic>`, `done/<group>/<topic>`, `lag/projection`, `dead-letters`, `requests`, `requests/failed`.
  series     text COLLATE "C" NOT NULL,
  value      bigint NOT NULL,
  PRIMARY KEY (sampled_at, series)
);

-- Statements that took longer than a threshold, by the hour; every process adds its own.
CREATE TABLE slow_statement (
  hour      timestamptz(0) NOT NULL,
  -- Its name; of one without a name how it begins.
  statement text COLLATE "C" NOT NULL,
  calls     bigint NOT NULL,
  total_ms  bigint NOT NULL,
  max_ms    bigint NOT NULL,
  PRIMARY KEY (hour, statement)
);
