-- From service_edge to the catalogue: what changed, and what was posted.

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

CREATE INDEX service_edge_topic ON service_edge (system, target) WHERE kind = 'topic';

CREATE FUNCTION service_edge_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A statement that found all its edges there fires too.
  IF NOT EXISTS (SELECT FROM edges) THEN
    RETURN NULL;
  END IF;
  INSERT INTO service_change (kind, namespace, name)
    SELECT 'service', service_namespace, service_name FROM edges WHERE service_name IS NOT NULL
    UNION
    SELECT peer_kind, peer_namespace, peer_name FROM edges
      WHERE peer_kind IS NOT NULL AND peer_name IS NOT NULL
    UNION
    -- Who does not tell where its topic is learns it from others.
    SELECT 'service', o.service_namespace, o.service_name
      FROM edges e JOIN service_edge o ON o.kind = 'topic' AND o.system = e.system
       AND o.target = e.target AND o.address IS NULL AND o.service_name IS NOT NULL
      WHERE e.kind = 'topic' AND e.address IS NOT NULL;
  PERFORM pg_notify('service_edge', '');
  RETURN NULL;
END $$;

CREATE TRIGGER service_edge_added AFTER INSERT ON service_edge
  REFERENCING NEW TABLE AS edges FOR EACH STATEMENT EXECUTE FUNCTION service_edge_changed();
CREATE TRIGGER service_edge_removed AFTER DELETE ON service_edge
  REFERENCING OLD TABLE AS edges FOR EACH STATEMENT EXECUTE FUNCTION service_edge_changed();

-- Counts and times change all the time and matter to no entity; versions do.
CREATE FUNCTION service_edge_version_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO service_change (kind, namespace, name)
    SELECT kind, namespace, name FROM (
      VALUES ('service', NEW.service_namespace, NEW.service_name, NEW.service_version,
              OLD.service_version),
             (NEW.peer_kind, NEW.peer_namespace, NEW.peer_name, NEW.peer_version, OLD.peer_version)
    ) AS v (kind, namespace, name, new_version, old_version)
    WHERE name IS NOT NULL AND kind IS NOT NULL AND new_version IS DISTINCT FROM old_version;
  PERFORM pg_notify('service_edge', '');
  RETURN NULL;
END $$;

CREATE TRIGGER service_edge_moved AFTER UPDATE ON service_edge FOR EACH ROW
  WHEN (NEW.service_version IS DISTINCT FROM OLD.service_version
     OR NEW.peer_version IS DISTINCT FROM OLD.peer_version)
  EXECUTE FUNCTION service_edge_version_changed();

INSERT INTO service_change (kind, namespace, name)
  SELECT 'service', service_namespace, service_name FROM service_edge
    WHERE service_name IS NOT NULL
  UNION
  SELECT peer_kind, peer_namespace, peer_name FROM service_edge
    WHERE peer_kind IS NOT NULL AND peer_name IS NOT NULL;
