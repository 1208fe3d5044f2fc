-- How often datasets are read in their source.

-- DatasetUsage of a dataset whose source counts reads; null for others, and until the source was read twice. `since` is when
-- the first of these reads may have happened, since they are counted between two runs of the connection.
CREATE OR REPLACE FUNCTION json_usage(e data_entity) RETURNS json
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('reads', coalesce(u.reads, 0), 'since', iso(w.since), 'until', iso(c.usage_at),
           'roles', (SELECT coalesce(json_agg(json_build_object('name', r.role, 'reads', r.reads)
                                              ORDER BY r.reads DESC, r.role), '[]')
                       FROM (SELECT role, sum(reads)::bigint AS reads FROM dataset_usage
                              WHERE connection_id = c.id AND catrn = e.catrn AND role <> ''
                              GROUP BY role ORDER BY 2 DESC, 1 LIMIT 10) r))
    FROM data_source s JOIN connection c ON c.source_catrn = s.catrn
    CROSS JOIN LATERAL (SELECT min(from_at) AS since FROM connection_usage_day d WHERE d.connection_id = c.id) w
    LEFT JOIN entity_usage u ON u.entity_id = e.id
   WHERE s.id = e.data_source_id AND 1 = ANY (e.class_ids) AND c.usage_at IS NOT NULL AND w.since IS NOT NULL
$$;
