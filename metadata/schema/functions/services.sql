-- Which services and hosts have to be composed again, told by the edges themselves.

CREATE OR REPLACE FUNCTION service_edge_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER service_edge_added AFTER INSERT ON service_edge
  REFERENCING NEW TABLE AS edges FOR EACH STATEMENT EXECUTE FUNCTION service_edge_changed();
CREATE OR REPLACE TRIGGER service_edge_removed AFTER DELETE ON service_edge
  REFERENCING OLD TABLE AS edges FOR EACH STATEMENT EXECUTE FUNCTION service_edge_changed();

-- Counts and times change all the time and matter to no entity; versions do.
CREATE OR REPLACE FUNCTION service_edge_version_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER service_edge_moved AFTER UPDATE ON service_edge FOR EACH ROW
  WHEN (NEW.service_version IS DISTINCT FROM OLD.service_version
     OR NEW.peer_version IS DISTINCT FROM OLD.peer_version)
  EXECUTE FUNCTION service_edge_version_changed();
