-- People, and alerts with what is told of them.

-- People: `my` reads, ownership facets and highlights rest on these.
CREATE TABLE owner (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE title (
  id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE ownership (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id bigint NOT NULL REFERENCES data_entity,
  owner_id  bigint NOT NULL REFERENCES owner,
  title_id  bigint REFERENCES title,
  UNIQUE (entity_id, owner_id)
);
CREATE INDEX ownership_owner ON ownership (owner_id);
CREATE INDEX ownership_title ON ownership (title_id) WHERE title_id IS NOT NULL;

CREATE TABLE user_owner (
  username text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL DEFAULT '',
  -- An owner is one user's at most.
  owner_id bigint NOT NULL UNIQUE REFERENCES owner,
  PRIMARY KEY (username, provider)
);

-- Alerts; codes in reference order: types 1-4, statuses 1 OPEN, 2 RESOLVED, 3 RESOLVED_AUTOMATICALLY.
CREATE TABLE alert (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id         bigint REFERENCES data_entity,
  messenger_id      bigint REFERENCES data_entity,
  type              smallint NOT NULL CHECK (type BETWEEN 1 AND 4),
  status            smallint NOT NULL CHECK (status BETWEEN 1 AND 3),
  status_updated_by text,
  status_updated_by_provider text NOT NULL DEFAULT '',
  status_updated_at timestamptz(3),
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  last_created_at   timestamptz(3) NOT NULL DEFAULT now(),
  -- Digest of what makes a firing alert the same alert (its fingerprint, else its labels); NULL when it
  -- has neither, and for alerts that do not come from the router.
  fingerprint       text COLLATE "C"
);
CREATE INDEX alert_open ON alert (entity_id) WHERE status = 1;

-- One OPEN alert a key; distribution anomalies (4) are never merged, and failed tests (2) have no key
-- any more once their test was purged.
CREATE UNIQUE INDEX alert_open_key ON alert (entity_id, type, coalesce(messenger_id, 0))
  WHERE status = 1 AND type <> 4 AND NOT (type = 2 AND messenger_id IS NULL);
CREATE INDEX alert_resolved ON alert (status_updated_at) WHERE status <> 1;
CREATE INDEX alert_newest ON alert (last_created_at DESC, id DESC);
CREATE INDEX alert_open_fingerprint ON alert (fingerprint)
  WHERE status = 1 AND fingerprint IS NOT NULL;

-- The lists: of all, of those that are open, of one entity; newest first.
CREATE INDEX alert_open_newest ON alert (last_created_at DESC, id DESC) WHERE status = 1;
CREATE INDEX alert_entity ON alert (entity_id, last_created_at DESC, id DESC);
CREATE INDEX alert_messenger ON alert (messenger_id) WHERE messenger_id IS NOT NULL;

-- What an alert says, piece by piece: one chunk for each failed run or missing element.
CREATE TABLE alert_chunk (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id    bigint NOT NULL REFERENCES alert ON DELETE CASCADE,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  description text NOT NULL
);
CREATE INDEX alert_chunk_alert ON alert_chunk (alert_id, created_at DESC, id DESC);

-- Until when an entity raises no alert of a type; a missing row halts nothing.
CREATE TABLE alert_halt_config (
  entity_id                       bigint PRIMARY KEY REFERENCES data_entity,
  failed_job_halt_until           timestamptz(3),
  failed_dq_test_halt_until       timestamptz(3),
  incompatible_schema_halt_until  timestamptz(3),
  distribution_anomaly_halt_until timestamptz(3)
);

-- Every change of an alert, written in its transaction and never changed again. The notifier reads
-- the inserts of this table from the write-ahead log; no foreign keys, since it outlives what it names.
CREATE TABLE alert_event (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id    bigint NOT NULL,
  -- NULL: an alert of no entity.
  entity_id   bigint,
  alert_type  smallint NOT NULL CHECK (alert_type BETWEEN 1 AND 4),
  event_type  text NOT NULL CHECK (event_type IN
    ('CREATED', 'UPDATED', 'RESOLVED', 'RESOLVED_AUTOMATICALLY', 'REOPENED')),
  event_at    timestamptz(3) NOT NULL,
  -- Who did it; NULL for the service itself and anonymous callers.
  updated_by  text,
  -- Which trace changed it (W3C Trace Context); see lineage_outbox.
  traceparent text DEFAULT nullif(current_setting('tributary.traceparent', true), ''),
  recorded_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX alert_event_alert ON alert_event (alert_id, id);
CREATE INDEX alert_event_recorded ON alert_event (recorded_at);

-- The run that a task's alerts were last judged by: an older one that comes later judges nothing.
-- Times are ends of runs, or starts where no end is known.
CREATE TABLE judged_run (
  task_id     bigint NOT NULL REFERENCES data_entity,
  kind        text NOT NULL CHECK (kind IN ('TRANSFORMER', 'TEST')),
  catrn       text COLLATE "C" NOT NULL,
  ran_at      timestamptz(3) NOT NULL,
  -- A run without an end that is told later than that, and ends otherwise, is judged too.
  received_at timestamptz(3) NOT NULL,
  failed      boolean NOT NULL,
  PRIMARY KEY (task_id, kind)
);

-- How far changes of alerts were announced to the event log. The row is there from the first time
-- that notifications ran until their slot is dropped by command.
CREATE TABLE alert_feed (
  single         boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Changes recorded earlier are history and announced to nobody.
  announce_since timestamptz(3) NOT NULL,
  -- Every change up to this id is history, was announced, or never came to be.
  settled_id     bigint NOT NULL DEFAULT 0,
  -- The slot began anew: changes that it never told are still to be announced from the table.
  gap            boolean NOT NULL
);

-- Changes after `settled_id` that the event log has. No foreign key: what the write-ahead log tells
-- may not be visible to others yet.
CREATE TABLE alert_event_published (
  event_id bigint PRIMARY KEY
);
