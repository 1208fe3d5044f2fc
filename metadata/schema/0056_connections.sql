-- Connections: sources that this program reads by itself, on a schedule.
CREATE TABLE connection (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name             text NOT NULL,
  connector        text NOT NULL,
  settings         jsonb NOT NULL,                    -- without secrets
  -- By name of the setting: {sealed: AES-256-GCM in Base64}, {env: variable} or {file: name}.
  secrets          jsonb NOT NULL DEFAULT '{}',
  source_catrn     text COLLATE "C" NOT NULL UNIQUE,
  schedule_minutes integer CHECK (schedule_minutes > 0), -- null: only by hand
  paused           boolean NOT NULL DEFAULT false,
  next_run_at      timestamptz(3),
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  updated_at       timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX connection_name ON connection (lower(name));
CREATE INDEX connection_due ON connection (next_run_at) WHERE NOT paused;

CREATE TABLE connection_run (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  connection_id bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  kind          text NOT NULL CHECK (kind IN ('RUN', 'TEST', 'PREVIEW')),
  state         text NOT NULL DEFAULT 'QUEUED' CHECK
    (state IN ('QUEUED', 'RUNNING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED')),
  requested_by  text,                                 -- null: the schedule
  requested_at  timestamptz(3) NOT NULL DEFAULT now(),
  started_at    timestamptz(3),
  finished_at   timestamptz(3),
  cancel        boolean NOT NULL DEFAULT false,
  attempts      integer NOT NULL DEFAULT 0,           -- how often a process began it
  counts        jsonb NOT NULL DEFAULT '{}',
  result        jsonb NOT NULL DEFAULT '{}',          -- {checks[], preview[], problems[], error}
  CHECK ((finished_at IS NULL) = (state IN ('QUEUED', 'RUNNING')))
);
CREATE INDEX connection_run_newest ON connection_run (connection_id, id DESC);
-- One that waits and one at work of each kind: asking again asks for the same.
CREATE UNIQUE INDEX connection_run_queued ON connection_run (connection_id, kind) WHERE state = 'QUEUED';
CREATE INDEX connection_run_open ON connection_run (id) WHERE state IN ('QUEUED', 'RUNNING');
CREATE INDEX connection_run_finished ON connection_run (finished_at) WHERE finished_at IS NOT NULL;

-- What a connection has published: what is unchanged is not published again, what is gone is removed.
CREATE TABLE connection_item (
  connection_id bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  catrn         text COLLATE "C" NOT NULL,
  hash          bytea NOT NULL,
  run_id        bigint NOT NULL,                      -- the run that saw it last
  published_at  bigint NOT NULL,                      -- milliseconds since the epoch
  PRIMARY KEY (connection_id, catrn)
) WITH (fillfactor = 80);
CREATE INDEX connection_item_run ON connection_item (connection_id, run_id);
