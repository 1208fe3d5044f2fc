-- The longest silence that an alert of this type on this entity (null: on none) meets now; no row when none does.
-- All conditions of a silence must hold. A namespace is that of the entity or of its data source.
CREATE OR REPLACE FUNCTION silence_of(entity bigint, of_type smallint) RETURNS SETOF silence
  LANGUAGE sql STABLE AS
  $$SELECT s.*
      FROM silence s
      LEFT JOIN data_entity e ON e.id = entity
      LEFT JOIN data_source d ON d.id = e.data_source_id
     WHERE s.until > now()
       AND (s.entity_id IS NULL OR s.entity_id = entity)
       AND (s.alert_type IS NULL OR s.alert_type = of_type)
       AND (s.namespace_id IS NULL OR s.namespace_id IN (e.namespace_id, d.namespace_id))
       AND (s.owner_id IS NULL OR EXISTS (
         SELECT FROM ownership o WHERE o.entity_id = entity AND o.owner_id = s.owner_id))
     ORDER BY s.until DESC, s.id LIMIT 1$$;
