-- What traces say of services: who calls whom, which tables and topics a service reads and writes.
-- Workers of the trace gateway merge into it; its publisher makes catalogue entities of it.

CREATE TABLE service_edge (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- SHA-256 of the identity: kind, service, peer, operation, system, address, database, target, access.
  key               bytea NOT NULL UNIQUE,
  kind              text NOT NULL CHECK (kind IN ('call', 'database', 'topic')),
  -- The caller, or the service that touches the data; NULL: a call whose caller is not traced.
  service_namespace text,
  service_name      text,
  service_version   text,
  -- Of a call: the callee, a traced service or a host that is not.
  peer_kind         text CHECK (peer_kind IN ('service', 'host')),
  peer_namespace    text,
  peer_name         text,
  peer_version      text,
  -- Of a call: the templated operation, such as GET /orders/{id}.
  operation         text,
  -- Of a database or topic: postgresql, kafka, …; where; which database; which table, collection or topic.
  system            text,
  address           text,
  database          text,
  target            text,
  access            text CHECK (access IN ('read', 'write')),
  calls             bigint NOT NULL DEFAULT 0,
  errors            bigint NOT NULL DEFAULT 0,
  -- By the time of the log, which no clock of a traced service moves. `last_seen` may be ten seconds
  -- behind: an index stands on it, and most merges leave it so that they need not touch the index.
  first_seen        timestamptz(3) NOT NULL,
  last_seen         timestamptz(3) NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX service_edge_service ON service_edge (service_name, service_namespace);
CREATE INDEX service_edge_peer ON service_edge (peer_name, peer_namespace);
CREATE INDEX service_edge_seen ON service_edge (last_seen);
CREATE INDEX service_edge_topic ON service_edge (system, target) WHERE kind = 'topic';

-- How far each partition of the log of spans has been counted into service_edge, and what it came to.
-- Written in the transaction that merges the edges, by whoever still finds `next_offset` as it left it.
CREATE TABLE span_checkpoint (
  partition     integer PRIMARY KEY,
  next_offset   bigint NOT NULL,
  -- Greatest time of a record so far, milliseconds since the epoch.
  stream_time   bigint NOT NULL,
  -- Where a worker that takes over begins to rebuild what it must remember, and the time there.
  replay_offset bigint NOT NULL,
  replay_time   bigint NOT NULL,
  -- Which spans wait for their other half: offsets and places within their records.
  positions     bytea NOT NULL,
  -- Facts of spans by what became of them.
  read          bigint NOT NULL DEFAULT 0,
  paired        bigint NOT NULL DEFAULT 0,
  standalone    bigint NOT NULL DEFAULT 0,
  expired       bigint NOT NULL DEFAULT 0,
  duplicate     bigint NOT NULL DEFAULT 0,
  irrelevant    bigint NOT NULL DEFAULT 0,
  waiting       bigint NOT NULL DEFAULT 0,
  changed_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT span_checkpoint_sum CHECK
    (read = 2 * paired + standalone + expired + duplicate + irrelevant + waiting)
);

-- Calls of an edge minute by minute, with their durations as a histogram that can be added up: bucket
-- n holds those above 2^((n-1)/8) and up to 2^(n/8) microseconds.
CREATE TABLE service_edge_window (
  edge_id bigint NOT NULL REFERENCES service_edge ON DELETE CASCADE,
  at      timestamptz(0) NOT NULL,
  calls   bigint NOT NULL,
  errors  bigint NOT NULL,
  buckets smallint[] NOT NULL,
  counts  bigint[] NOT NULL,
  PRIMARY KEY (edge_id, at)
) WITH (fillfactor = 80);
CREATE INDEX service_edge_window_at ON service_edge_window (at);

-- Services and hosts whose entities have to be composed again. A queue: whoever composes reads rows,
-- and deletes those it has read, so that a change that commits later is never lost.
CREATE TABLE service_change (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind      text NOT NULL CHECK (kind IN ('service', 'host')),
  namespace text,
  name      text NOT NULL
);

-- Entities under the gateway's own data source, as the event log has them.
CREATE TABLE service_entity (
  catrn       text COLLATE "C" PRIMARY KEY,
  -- The service or host that it was composed of.
  kind        text NOT NULL CHECK (kind IN ('service', 'host')),
  namespace   text,
  name        text NOT NULL,
  -- SHA-256 of the item as posted; NULL: it is unknown which content the log has last.
  hash        bytea,
  -- Header `received-at` of the batch that carries it: the catalogue keeps the newest.
  received_at bigint NOT NULL,
  posted_at   timestamptz(3),
  -- When it was composed last, if it refers to datasets that the catalogue did not hold then.
  guessed_at  timestamptz(3),
  -- posting: a batch with it is on its way; live: the log has it; leaving: to be marked DELETED.
  state       text NOT NULL CHECK (state IN ('posting', 'live', 'leaving'))
);
CREATE INDEX service_entity_owner ON service_entity (name, namespace);
CREATE INDEX service_entity_posted ON service_entity (posted_at) WHERE state = 'live';
CREATE INDEX service_entity_guessed ON service_entity (guessed_at) WHERE guessed_at IS NOT NULL;
CREATE INDEX service_entity_leaving ON service_entity (received_at) WHERE state <> 'live';

-- Versions that a service was seen with, oldest first, and which of them stands in its entity.
CREATE TABLE service_version (
  namespace text NOT NULL,
  name      text NOT NULL,
  known     text[] NOT NULL,
  current   text NOT NULL,
  since     timestamptz(3) NOT NULL,
  PRIMARY KEY (name, namespace)
);

-- The greatest `received-at` that was ever given to a batch. It grows with every posting, whoever
-- leads and whatever their clocks say; so content composed earlier never wins over later one.
CREATE TABLE service_publisher (
  one         boolean PRIMARY KEY DEFAULT true CHECK (one),
  received_at bigint NOT NULL DEFAULT 0
);
INSERT INTO service_publisher DEFAULT VALUES;

-- Services and hosts of which no entities can be composed or posted: set aside, so that all others are
-- published as usual. A row goes when composing succeeds, which is tried again when an edge of the
-- subject changes, or when somebody releases it.
CREATE TABLE service_quarantine (
  kind      text NOT NULL CHECK (kind IN ('service', 'host')),
  namespace text,
  name      text NOT NULL,
  -- What composing or posting it said last.
  cause     text NOT NULL,
  attempts  bigint NOT NULL DEFAULT 1,
  since     timestamptz(3) NOT NULL,
  tried_at  timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX service_quarantine_key
  ON service_quarantine (name, coalesce(namespace, ''), (namespace IS NULL), kind);
CREATE INDEX service_quarantine_tried ON service_quarantine (tried_at);
