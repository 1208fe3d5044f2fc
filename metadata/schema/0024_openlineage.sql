-- What OpenLineage events say, joined: a row is a pure function of the set of events about its subject. `state`
-- is JSON that only the worker reads, as text, since it may hold what jsonb cannot. Times are milliseconds since
-- the epoch; keys are CATRNs. `dirty` counts what was not composed yet; who composes a row claims it for a while.

CREATE TABLE ol_job (
  key           text COLLATE "C" PRIMARY KEY,
  namespace     text NOT NULL,
  name          text NOT NULL,
  state         text NOT NULL,
  -- The job that it names as its parent, and the datasets that it declares.
  parent_key    text COLLATE "C",
  declares      text[] NOT NULL DEFAULT '{}',
  -- When it last had an event of its own; NULL: it is only named by others.
  last_seen     bigint,
  dirty         bigint NOT NULL DEFAULT 1,
  due_at        bigint,
  claimed_until timestamptz(3),
  posted_hash   text,
  posted_at     bigint,
  received_at   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX ol_job_dirty ON ol_job (key) WHERE dirty > 0;
CREATE INDEX ol_job_due ON ol_job (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ol_job_parent ON ol_job (parent_key) WHERE parent_key IS NOT NULL;
CREATE INDEX ol_job_declares ON ol_job USING gin (declares) WHERE declares <> '{}';

CREATE TABLE ol_run (
  -- The run id if it is a UUID, else the key of the job, a unit separator and the run id.
  key           text COLLATE "C" PRIMARY KEY,
  run_id        text NOT NULL,
  job_key       text COLLATE "C" NOT NULL,
  state         text NOT NULL,
  -- When it began; its terminal by the rule of batches; whether it was begun again after that.
  began         bigint NOT NULL,
  terminal      text CHECK (terminal IN ('COMPLETE', 'FAIL', 'ABORT')),
  reopened      boolean NOT NULL DEFAULT false,
  has_inputs    boolean NOT NULL DEFAULT false,
  has_outputs   boolean NOT NULL DEFAULT false,
  -- Events as they came, repetitions included.
  events        bigint NOT NULL DEFAULT 0,
  last_seen     bigint NOT NULL,
  -- As it was last composed.
  status        text,
  ended_at      bigint,
  dirty         bigint NOT NULL DEFAULT 1,
  due_at        bigint,
  claimed_until timestamptz(3),
  posted_hash   text,
  posted_at     bigint,
  received_at   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX ol_run_dirty ON ol_run (key) WHERE dirty > 0;
CREATE INDEX ol_run_due ON ol_run (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ol_run_job ON ol_run (job_key, terminal, began DESC);
CREATE INDEX ol_run_id ON ol_run (run_id);
CREATE INDEX ol_run_seen ON ol_run (last_seen);

-- Inputs and outputs of runs.
CREATE TABLE ol_run_io (
  run_key     text COLLATE "C" NOT NULL REFERENCES ol_run ON DELETE CASCADE,
  side        text NOT NULL CHECK (side IN ('inputs', 'outputs')),
  dataset_key text COLLATE "C" NOT NULL,
  t           bigint NOT NULL,
  state       text NOT NULL,
  PRIMARY KEY (run_key, side, dataset_key)
) WITH (fillfactor = 80);
CREATE INDEX ol_run_io_dataset ON ol_run_io (dataset_key);

CREATE TABLE ol_dataset (
  key           text COLLATE "C" PRIMARY KEY,
  namespace     text NOT NULL,
  name          text NOT NULL,
  state         text NOT NULL,
  -- The CATRN under which jobs name it, by its group and by what collectors have catalogued.
  catrn         text COLLATE "C",
  -- How the name was found (exact, loose, template, generic), and when it was last looked for.
  match         text,
  resolved_at   bigint,
  last_seen     bigint,
  dirty         bigint NOT NULL DEFAULT 1,
  due_at        bigint,
  claimed_until timestamptz(3),
  -- The CATRN of the entity that was posted of it; NULL when another stands for it.
  posted_catrn  text COLLATE "C",
  posted_hash   text,
  posted_at     bigint,
  received_at   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX ol_dataset_dirty ON ol_dataset (key) WHERE dirty > 0;
CREATE INDEX ol_dataset_due ON ol_dataset (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ol_dataset_catrn ON ol_dataset (catrn);
CREATE INDEX ol_dataset_unsure ON ol_dataset (resolved_at) WHERE match <> 'exact';

-- Statements that two names mean one dataset; made by the dataset `by`, whose state has them too.
CREATE TABLE ol_alias_link (
  by       text COLLATE "C" NOT NULL REFERENCES ol_dataset ON DELETE CASCADE,
  from_key text COLLATE "C" NOT NULL,
  to_key   text COLLATE "C" NOT NULL,
  kind     text NOT NULL CHECK (kind IN ('location', 'name')),
  t        bigint NOT NULL,
  h        text NOT NULL
);
CREATE INDEX ol_alias_link_by ON ol_alias_link (by);
CREATE INDEX ol_alias_link_from ON ol_alias_link (from_key);
CREATE INDEX ol_alias_link_to ON ol_alias_link (to_key);

-- Entities that OpenLineage no longer stands for; deleted once their last batch is applied, unless posted again.
CREATE TABLE ol_leaving (
  catrn       text COLLATE "C" PRIMARY KEY,
  received_at bigint NOT NULL,
  since       timestamptz(3) NOT NULL DEFAULT now()
);
