-- Names of classes, in order of their ids: how states of the activity feed hold them.
CREATE FUNCTION class_names(class_ids smallint[]) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(array_agg(c.name ORDER BY c.id), '{}') FROM entity_class c WHERE c.id = ANY(class_ids)$$;
