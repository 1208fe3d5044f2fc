-- Processes of the instance, and how the workers of each stand: what it tells every few seconds. Not logged, since
-- after a crash of the server every process tells again.
CREATE UNLOGGED TABLE process (
  -- Unique: host, process id and a random part.
  holder     text PRIMARY KEY,
  services   text[] NOT NULL,
  version    text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at    timestamptz(3) NOT NULL,
  -- [{name, ready, state, since, cause}]
  workers    jsonb NOT NULL
);

-- The last comparison of the projected graph with the metadata; one runs at a time.
CREATE TABLE graph_verification (
  one        boolean PRIMARY KEY DEFAULT true CHECK (one),
  run        uuid NOT NULL,
  state      text NOT NULL CHECK (state IN ('RUNNING', 'EQUAL', 'DIFFERENT', 'FAILED')),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  -- While it runs, whoever runs it says so every few seconds.
  seen_at    timestamptz(3) NOT NULL DEFAULT now(),
  ended_at   timestamptz(3),
  -- Edges of the metadata that were compared so far.
  compared   bigint NOT NULL DEFAULT 0,
  -- Of one that ended: {missing, extra, more, position, head}.
  report     jsonb,
  -- Why it failed.
  cause      text
);
