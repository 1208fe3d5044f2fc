-- Assets that are probably another one under a new name.

-- Whether people wrote something on an asset or on its fields that `carry_over` would take to another one.
CREATE OR REPLACE FUNCTION has_written(entity bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM data_entity e WHERE e.id = entity
                    AND (num_nonnulls(e.internal_name, e.internal_description) > 0 OR e.status IN (2, 3, 4)))
      OR EXISTS (SELECT FROM entity_tag WHERE entity_id = entity AND origin = 'INTERNAL')
      OR EXISTS (SELECT FROM entity_term WHERE entity_id = entity)
      OR EXISTS (SELECT FROM ownership WHERE entity_id = entity AND NOT external)
      OR EXISTS (SELECT FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
                  WHERE v.entity_id = entity AND f.origin = 'INTERNAL')
      OR EXISTS (SELECT FROM attachment_link WHERE entity_id = entity)
      OR EXISTS (SELECT FROM attachment_file WHERE entity_id = entity)
      OR EXISTS (SELECT FROM message WHERE entity_id = entity)
      OR EXISTS (SELECT FROM entity_query_example WHERE entity_id = entity)
      OR EXISTS (SELECT FROM favorite WHERE entity_id = entity)
      OR EXISTS (SELECT FROM alert_halt_config WHERE entity_id = entity)
      OR EXISTS (SELECT FROM group_member WHERE member_id = entity AND origin = 'MANUAL')
      OR EXISTS (SELECT FROM latest_fields(ARRAY[entity]) l JOIN dataset_field f ON f.id = l.field_id
                  WHERE num_nonnulls(f.internal_name, f.internal_description) > 0
                     OR EXISTS (SELECT FROM field_tag t WHERE t.field_id = f.id AND t.origin = 'INTERNAL')
                     OR EXISTS (SELECT FROM field_term t WHERE t.field_id = f.id)
                     OR EXISTS (SELECT FROM enum_value v WHERE v.field_id = f.id AND v.origin = 'INTERNAL')
                     OR EXISTS (SELECT FROM field_metadata_value v JOIN metadata_field m ON m.id = v.metadata_field_id
                                 WHERE v.field_id = f.id AND m.origin = 'INTERNAL'))
$$;

-- Offers that somebody can decide now: the former asset is deleted, and its successor is there.
CREATE OR REPLACE VIEW open_rename AS
  SELECT r.id, r.connection_id, r.run_id, r.old_id, n.id AS new_id, r.columns, r.found_at
    FROM rename_offer r JOIN data_entity o ON o.id = r.old_id JOIN data_entity n ON n.catrn = r.new_catrn
   WHERE r.decision IS NULL AND NOT is_live(o.status) AND NOT n.hollow AND is_live(n.status);

-- RenameOffer.
CREATE OR REPLACE FUNCTION json_rename(r open_rename, stale_days integer) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', r.id, 'run_id', r.run_id, 'former', json_entity_ref(o, stale_days),
           'successor', json_entity_ref(n, stale_days), 'columns', r.columns, 'found_at', iso(r.found_at))
    FROM data_entity o, data_entity n WHERE o.id = r.old_id AND n.id = r.new_id
$$;

-- RenameOffer[] of an asset, be it the former one or the successor.
CREATE OR REPLACE FUNCTION json_renames(e data_entity, stale_days integer) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_rename(r, stale_days) ORDER BY r.id), '[]')
    FROM (SELECT id FROM rename_offer WHERE old_id = e.id AND decision IS NULL
           UNION SELECT id FROM rename_offer WHERE new_catrn = e.catrn AND decision IS NULL) i
    JOIN open_rename r ON r.id = i.id
$$;
