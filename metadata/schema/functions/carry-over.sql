-- What people wrote on assets goes with them when they get another name.

-- Copies what people wrote on the fields of one dataset to the fields of another that have the same place in it.
CREATE OR REPLACE FUNCTION carry_over_fields(old_id bigint, new_id bigint) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  olds bigint[];
  news bigint[];
BEGIN
  SELECT array_agg(f.id), array_agg(t.id) INTO olds, news
    FROM data_entity o, data_entity n, latest_fields(ARRAY[o.id]) fl, dataset_field f,
         latest_fields(ARRAY[n.id]) tl, dataset_field t
   WHERE o.id = old_id AND n.id = new_id AND f.id = fl.field_id AND t.id = tl.field_id
     AND substr(f.catrn, length(o.catrn) + 1) = substr(t.catrn, length(n.catrn) + 1);
  IF olds IS NULL THEN RETURN; END IF;
  UPDATE dataset_field t
     SET internal_name = coalesce(t.internal_name, f.internal_name),
         internal_description = coalesce(t.internal_description, f.internal_description)
    FROM unnest(olds, news) p(old, new) JOIN dataset_field f ON f.id = p.old
   WHERE t.id = p.new AND num_nonnulls(f.internal_name, f.internal_description) > 0;
  INSERT INTO field_tag (field_id, tag_id, origin)
  SELECT p.new, x.tag_id, x.origin FROM unnest(olds, news) p(old, new) JOIN field_tag x ON x.field_id = p.old
   WHERE x.origin = 'INTERNAL' ON CONFLICT DO NOTHING;
  INSERT INTO field_term (field_id, term_id)
  SELECT p.new, x.term_id FROM unnest(olds, news) p(old, new) JOIN field_term x ON x.field_id = p.old
  ON CONFLICT DO NOTHING;
  INSERT INTO field_mention (field_id, namespace, name)
  SELECT p.new, x.namespace, x.name FROM unnest(olds, news) p(old, new) JOIN field_mention x ON x.field_id = p.old
  ON CONFLICT DO NOTHING;
  INSERT INTO field_metadata_value (field_id, metadata_field_id, value)
  SELECT p.new, x.metadata_field_id, x.value
    FROM unnest(olds, news) p(old, new) JOIN field_metadata_value x ON x.field_id = p.old
    JOIN metadata_field m ON m.id = x.metadata_field_id AND m.origin = 'INTERNAL'
  ON CONFLICT DO NOTHING;
  INSERT INTO enum_value (field_id, name, description, origin)
  SELECT p.new, x.name, x.description, x.origin
    FROM unnest(olds, news) p(old, new) JOIN enum_value x ON x.field_id = p.old
   WHERE x.origin = 'INTERNAL' ON CONFLICT DO NOTHING;
END $$;

-- Copies what people wrote on an asset to the one that has its place under another name; where both have something of
-- which there is only one, such as a description, that of the new one stays. Files and discussions move. `grants`: whether
-- what conditions of policies ask for goes along (name, namespace, tags, owners).
CREATE OR REPLACE FUNCTION carry_over(old_id bigint, new_id bigint, grants boolean) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_entity n
     SET internal_name = coalesce(n.internal_name, CASE WHEN grants THEN o.internal_name END),
         internal_description = coalesce(n.internal_description, o.internal_description),
         namespace_id = coalesce(n.namespace_id, CASE WHEN grants THEN o.namespace_id END),
         status = CASE WHEN n.status = 1 AND is_live(o.status) THEN o.status ELSE n.status END,
         status_switch_at = CASE WHEN n.status = 1 AND is_live(o.status)
                                 THEN o.status_switch_at ELSE n.status_switch_at END,
         view_count = n.view_count + o.view_count
    FROM data_entity o WHERE n.id = new_id AND o.id = old_id;
  INSERT INTO entity_tag (entity_id, tag_id, origin)
  SELECT new_id, tag_id, origin FROM entity_tag WHERE grants AND entity_id = old_id AND origin = 'INTERNAL'
  ON CONFLICT DO NOTHING;
  INSERT INTO entity_term (entity_id, term_id)
  SELECT new_id, term_id FROM entity_term WHERE entity_id = old_id ON CONFLICT DO NOTHING;
  INSERT INTO entity_mention (entity_id, namespace, name)
  SELECT new_id, namespace, name FROM entity_mention WHERE entity_id = old_id ON CONFLICT DO NOTHING;
  INSERT INTO metadata_value (entity_id, field_id, value)
  SELECT new_id, v.field_id, v.value
    FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id AND f.origin = 'INTERNAL'
   WHERE v.entity_id = old_id ON CONFLICT DO NOTHING;
  INSERT INTO ownership (entity_id, owner_id, title_id, external)
  SELECT new_id, owner_id, title_id, false FROM ownership WHERE grants AND entity_id = old_id AND NOT external
  ON CONFLICT (entity_id, owner_id) DO NOTHING;
  INSERT INTO attachment_link (entity_id, name, url)
  SELECT new_id, l.name, l.url FROM attachment_link l
   WHERE l.entity_id = old_id
     AND NOT EXISTS (SELECT FROM attachment_link x WHERE x.entity_id = new_id AND x.url = l.url);
  INSERT INTO entity_query_example (entity_id, example_id)
  SELECT new_id, example_id FROM entity_query_example WHERE entity_id = old_id ON CONFLICT DO NOTHING;
  INSERT INTO favorite (username, provider, entity_id, added_at)
  SELECT f.username, f.provider, new_id, f.added_at FROM favorite f WHERE f.entity_id = old_id
  ON CONFLICT DO NOTHING;
  INSERT INTO alert_halt_config
  SELECT new_id, failed_job_halt_until, failed_dq_test_halt_until, incompatible_schema_halt_until,
         distribution_anomaly_halt_until
    FROM alert_halt_config WHERE entity_id = old_id ON CONFLICT DO NOTHING;
  INSERT INTO group_member (group_id, member_id, origin)
  SELECT group_id, new_id, origin FROM group_member WHERE member_id = old_id AND origin = 'MANUAL'
  ON CONFLICT DO NOTHING;
  UPDATE attachment_file SET entity_id = new_id WHERE entity_id = old_id;
  UPDATE message SET entity_id = new_id WHERE entity_id = old_id;
  PERFORM carry_over_fields(old_id, new_id);
END $$;
