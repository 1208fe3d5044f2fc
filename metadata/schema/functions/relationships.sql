-- Relationships between datasets as finished JSON.

-- ERDRelationshipPairs[]: fields by their newest row; null when the field is not catalogued.
CREATE OR REPLACE FUNCTION json_field_pairs(r relationship) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH newest AS MATERIALIZED (
    SELECT dataset_id, catrn, max(id) AS id FROM dataset_field
     WHERE dataset_id IN (r.source_id, r.target_id) GROUP BY 1, 2)
  SELECT coalesce(json_agg(json_build_object(
      'source_dataset_field_id', s.id, 'source_dataset_field_catrn', p.source_catrn,
      'target_dataset_field_id', t.id, 'target_dataset_field_catrn', p.target_catrn)
      ORDER BY p.ordinal), '[]')
    FROM relationship_field_pair p
    LEFT JOIN newest s ON s.dataset_id = r.source_id AND s.catrn = p.source_catrn
    LEFT JOIN newest t ON t.dataset_id = r.target_id AND t.catrn = p.target_catrn
   WHERE p.relationship_id = r.id
$$;

-- {erd_relationship, graph_relationship}: the one of its kind, the other null.
CREATE OR REPLACE FUNCTION json_relationship_kind(r relationship) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    'erd_relationship', CASE WHEN r.kind = 'ERD' THEN json_build_object(
      'erd_relationship_id', r.id, 'fields_pairs', json_field_pairs(r),
      'is_identifying', r.is_identifying, 'cardinality', r.cardinality) END,
    'graph_relationship', CASE WHEN r.kind = 'GRAPH' THEN json_build_object(
      'graph_relationship_id', r.id, 'is_directed', r.is_directed,
      'attributes', (SELECT coalesce(json_agg(json_build_object('name', key,
                              'value', coalesce(value, 'null')) ORDER BY key), '[]')
                       FROM jsonb_each_text(CASE jsonb_typeof(r.attributes)
                              WHEN 'object' THEN r.attributes ELSE '{}' END))) END)
$$;

-- {source_data_entity, target_data_entity}.
CREATE OR REPLACE FUNCTION json_relationship_ends(r relationship, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('source_data_entity', json_entity_ref(r.source_id, stale_days),
                             'target_data_entity', json_entity_ref(r.target_id, stale_days))$$;

-- DataEntityRelationship.
CREATE OR REPLACE FUNCTION json_relationship(e data_entity, r relationship, stale_days integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_join(json_build_object('id', e.id,
        'name', coalesce(e.internal_name, e.external_name), 'catrn', e.catrn,
        'data_source', json_data_source_safe(e.data_source_id),
        'type', CASE r.kind WHEN 'ERD' THEN 'ENTITY_RELATIONSHIP' ELSE 'GRAPH_RELATIONSHIP' END),
      json_relationship_ends(r, stale_days))$$;

-- DataEntityRelationshipDetails, with the owners of the relationship.
CREATE OR REPLACE FUNCTION json_relationship_details(e data_entity, r relationship, stale_days integer)
  RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_join(json_join(json_relationship(e, r, stale_days), json_relationship_kind(r)),
                     json_build_object('ownership', json_ownership(e.id)))$$;

-- What the details of an entity of class DATA_RELATIONSHIP add, or nulls.
CREATE OR REPLACE FUNCTION json_relationship_members(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    CASE WHEN 9 = ANY (e.class_ids) THEN
      (SELECT json_join(json_relationship_ends(r, stale_days), json_relationship_kind(r))
         FROM relationship r WHERE r.entity_id = e.id) END,
    json_build_object('source_data_entity', NULL, 'target_data_entity', NULL,
                      'erd_relationship', NULL, 'graph_relationship', NULL))
$$;
