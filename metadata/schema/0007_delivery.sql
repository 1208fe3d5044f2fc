-- The delivery log: what each change of an alert says, to whom it goes, and how each attempt ended.
-- It is also the queue of the senders. No keys into the catalogue, which it outlives.

-- One message. `event`: the change itself. `follow_up`: tells, for the alert that held the change
-- back, of this further consequence. The row stays after its message is gone, so that a change that
-- is read again is known.
CREATE TABLE notification (
  event_id     bigint NOT NULL,
  kind         text NOT NULL DEFAULT 'event' CHECK (kind IN ('event', 'follow_up')),
  alert_id     bigint NOT NULL,
  -- NULL: an alert of no entity.
  entity_id    bigint,
  alert_type   smallint NOT NULL CHECK (alert_type BETWEEN 1 AND 4),
  event_type   text NOT NULL,
  event_at     timestamptz(3) NOT NULL,
  state        text NOT NULL CHECK
    (state IN ('announced', 'suppressed', 'held', 'merged', 'quarantined')),
  -- Why it is not announced by itself, in words.
  cause        text,
  -- The alert whose message tells of a held one.
  inhibited_by bigint,
  -- AlertMessage of contract/notifications.ts, in its order of keys; NULL once it is forgotten.
  message      json,
  -- Partition and offset of the record of a quarantined change.
  origin       text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (event_id, kind)
);
CREATE INDEX notification_alert ON notification (alert_id, event_id);
CREATE INDEX notification_entity ON notification (entity_id, created_at) WHERE state = 'announced';
CREATE INDEX notification_created ON notification (created_at);
CREATE INDEX notification_with_message ON notification (created_at) WHERE message IS NOT NULL;
CREATE INDEX notification_held ON notification (inhibited_by) WHERE state = 'held';
CREATE INDEX notification_subject ON notification (entity_id) WHERE entity_id IS NOT NULL;

-- One message to one recipient by one channel.
CREATE TABLE delivery (
  -- The same over all attempts; receivers are told it.
  id               uuid PRIMARY KEY,
  event_id         bigint NOT NULL,
  kind             text NOT NULL DEFAULT 'event',
  -- Rows of one alert and recipient go out in the order of their events.
  alert_id         bigint NOT NULL,
  channel          text NOT NULL,
  recipient        text NOT NULL,
  state            text NOT NULL DEFAULT 'pending' CHECK
    (state IN ('pending', 'held', 'delivered', 'failed', 'suppressed', 'merged')),
  -- Why it failed, or what kept it from being sent, in words.
  reason           text,
  -- The row that tells of this one.
  merged_into      uuid,
  due_at           timestamptz(3) NOT NULL DEFAULT now(),
  -- Attempts begun, also those that nobody saw the end of.
  attempts         integer NOT NULL DEFAULT 0,
  first_attempt_at timestamptz(3),
  -- Milliseconds spent on attempts and on waiting for the next one; the channel's pauses are not.
  spent_ms         bigint NOT NULL DEFAULT 0,
  claimed_by       uuid,
  claimed_until    timestamptz(3),
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  -- When it became delivered, failed, suppressed or merged.
  ended_at         timestamptz(3),
  UNIQUE (event_id, kind, channel, recipient),
  FOREIGN KEY (event_id, kind) REFERENCES notification ON DELETE CASCADE
);
CREATE INDEX delivery_due ON delivery (channel, due_at, event_id) WHERE state = 'pending';
CREATE INDEX delivery_order ON delivery (alert_id, channel, recipient, event_id)
  WHERE state IN ('pending', 'held', 'merged');
CREATE INDEX delivery_newest ON delivery (created_at DESC, id DESC);
CREATE INDEX delivery_failed ON delivery (ended_at) WHERE state = 'failed';
CREATE INDEX delivery_ended ON delivery (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX delivery_alert ON delivery (alert_id);

-- `started` until its end is told; `interrupted` when the row was claimed again without that;
-- `unsent` when it was given back before anything was sent.
CREATE TABLE delivery_attempt (
  delivery_id uuid NOT NULL REFERENCES delivery ON DELETE CASCADE,
  number      integer NOT NULL,
  at          timestamptz(3) NOT NULL DEFAULT now(),
  duration_ms integer,
  outcome     text NOT NULL DEFAULT 'started' CHECK
    (outcome IN ('started', 'delivered', 'retry', 'refused', 'interrupted', 'unsent')),
  -- Status of the answer, where the channel has one.
  status      integer,
  cause       text,
  PRIMARY KEY (delivery_id, number)
);

-- What holds for all senders of a channel, in all processes.
CREATE TABLE notification_channel (
  channel         text PRIMARY KEY,
  next_allowed_at timestamptz(3) NOT NULL DEFAULT 'epoch',
  -- Who may set next_allowed_at back, the claim that took the last turn.
  turn            uuid,
  paused_until    timestamptz(3),
  pause_cause     text,
  -- Pauses since the last delivery, and when that number changed.
  failures        integer NOT NULL DEFAULT 0,
  changed_at      timestamptz(3) NOT NULL DEFAULT now()
);

-- What is kept quiet until a time; all conditions that are given must hold.
CREATE TABLE silence (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id    bigint,
  -- Of the entity or of its data source.
  namespace_id bigint,
  owner_id     bigint,
  alert_type   smallint CHECK (alert_type BETWEEN 1 AND 4),
  until        timestamptz(3) NOT NULL,
  comment      text,
  created_by   text,
  created_by_provider text NOT NULL DEFAULT '',
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(entity_id, namespace_id, owner_id, alert_type) > 0)
);
CREATE INDEX silence_until ON silence (until);
