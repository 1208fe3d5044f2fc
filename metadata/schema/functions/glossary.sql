-- Terms: what they are linked with, and how answers show them.

-- Links of entities, fields and terms with terms, each once. `mentioned`: only because a description
-- mentions the term, so that nobody can take it away but by changing the description.
CREATE OR REPLACE VIEW entity_linked_term AS
  SELECT entity_id, term_id, bool_and(mentioned) AS mentioned
    FROM (SELECT entity_id, term_id, false AS mentioned FROM entity_term
          UNION ALL
          SELECT m.entity_id, t.id, true
            FROM entity_mention m JOIN namespace n ON n.name = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.name = m.name) link
   GROUP BY entity_id, term_id;

CREATE OR REPLACE VIEW field_linked_term AS
  SELECT field_id, term_id, bool_and(mentioned) AS mentioned
    FROM (SELECT field_id, term_id, false AS mentioned FROM field_term
          UNION ALL
          SELECT m.field_id, t.id, true
            FROM field_mention m JOIN namespace n ON n.name = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.name = m.name) link
   GROUP BY field_id, term_id;

-- Seen from both ends; a definition that mentions its own term links nothing.
CREATE OR REPLACE VIEW term_linked_term AS
  SELECT term_id, other_id, bool_and(mentioned) AS mentioned
    FROM (SELECT term_id, other_id, false AS mentioned FROM term_link
          UNION ALL SELECT other_id, term_id, false FROM term_link
          UNION ALL
          SELECT m.term_id, t.id, true
            FROM term_mention m JOIN namespace n ON n.name = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.name = m.name
          UNION ALL
          SELECT t.id, m.term_id, true
            FROM term_mention m JOIN namespace n ON n.name = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.name = m.name) link
   WHERE term_id <> other_id
   GROUP BY term_id, other_id;

-- TermRef.
CREATE OR REPLACE FUNCTION json_term_ref(t term, n namespace) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', t.id, 'name', t.name, 'definition', t.definition,
      'updated_at', iso(t.updated_at), 'namespace', json_named(n.id, n.name))$$;
CREATE OR REPLACE FUNCTION json_term_ref(t term) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_term_ref(t, n) FROM namespace n WHERE n.id = t.namespace_id$$;

-- LinkedTerm.
CREATE OR REPLACE FUNCTION json_linked_term(t term, n namespace, mentioned boolean) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('term', json_term_ref(t, n), 'is_description_link', mentioned)$$;

-- LinkedTerm[] of an entity, and of a dataset field, by name.
CREATE OR REPLACE FUNCTION json_terms(entity bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(json_agg(json_linked_term(t, n, l.mentioned) ORDER BY n.name, t.name), '[]')
    FROM entity_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id
   WHERE l.entity_id = entity
$$;
CREATE OR REPLACE FUNCTION json_field_terms(field bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(json_agg(json_linked_term(t, n, l.mentioned) ORDER BY n.name, t.name), '[]')
    FROM field_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id
   WHERE l.field_id = field
$$;
