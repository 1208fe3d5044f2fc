-- What an alert says, piece by piece: one chunk for each failed run or missing element.
CREATE TABLE alert_chunk (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id    bigint NOT NULL REFERENCES alert ON DELETE CASCADE,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  description text NOT NULL
);
CREATE INDEX alert_chunk_alert ON alert_chunk (alert_id, created_at DESC, id DESC);

-- One OPEN alert a key; distribution anomalies (4) are never merged, and failed tests (2) have no key
-- any more once their test was purged.
CREATE UNIQUE INDEX alert_open_key ON alert (entity_id, type, coalesce(messenger_id, 0))
  WHERE status = 1 AND type <> 4 AND NOT (type = 2 AND messenger_id IS NULL);
CREATE INDEX alert_resolved ON alert (status_updated_at) WHERE status <> 1;
CREATE INDEX alert_newest ON alert (last_created_at DESC, id DESC);

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
