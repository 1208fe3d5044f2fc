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
