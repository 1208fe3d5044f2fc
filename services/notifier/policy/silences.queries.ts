/** $1 events, $2 their entities, $3 their types, side by side: the longest silence that each meets. */
export const silences = `
  SELECT g.event_id, s.id, s.until, s.created_by, s.comment
    FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS g (event_id, entity_id, alert_type)
    LEFT JOIN data_entity e ON e.id = g.entity_id
    LEFT JOIN data_source d ON d.id = e.data_source_id
   CROSS JOIN LATERAL (
     SELECT * FROM silence
      WHERE until > now()
        AND (silence.entity_id IS NULL OR silence.entity_id = g.entity_id)
        AND (silence.alert_type IS NULL OR silence.alert_type = g.alert_type)
        AND (silence.namespace_id IS NULL
             OR silence.namespace_id IN (e.namespace_id, d.namespace_id))
        AND (silence.owner_id IS NULL OR EXISTS (
          SELECT FROM ownership o
           WHERE o.entity_id = g.entity_id AND o.owner_id = silence.owner_id))
      ORDER BY until DESC LIMIT 1) s`;
