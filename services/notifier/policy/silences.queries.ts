/** $1 events, $2 their entities, $3 their types, side by side: the longest silence that each meets. */
export const silences = `
  SELECT g.event_id, s.id, s.until, s.created_by, s.comment
    FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS g (event_id, entity_id, alert_type)
   CROSS JOIN LATERAL silence_of(g.entity_id, g.alert_type) s`;
