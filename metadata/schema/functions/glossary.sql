-- Terms: what they are linked with, and how answers show them.

-- Links of entities, fields and terms with terms, each once. `mentioned`: only because a description
-- mentions the term, so that nobody can take it away but by changing the description.
CREATE OR REPLACE VIEW entity_linked_term AS
  SELECT entity_id, term_id, bool_and(mentioned) AS mentioned
    FROM (SELECT entity_id, term_id, false AS mentioned FROM entity_term
          UNION ALL
          SELECT m.entity_id, t.id, true
            FROM entity_mention m JOIN namespace n ON n.folded = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.folded = m.name) link
   GROUP BY entity_id, term_id;

CREATE OR REPLACE VIEW field_linked_term AS
  SELECT field_id, term_id, bool_and(mentioned) AS mentioned
    FROM (SELECT field_id, term_id, false AS mentioned FROM field_term
          UNION ALL
          SELECT m.field_id, t.id, true
            FROM field_mention m JOIN namespace n ON n.folded = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.folded = m.name) link
   GROUP BY field_id, term_id;

-- Seen from both ends; a definition that mentions its own term links nothing.
CREATE OR REPLACE VIEW term_linked_term AS
  SELECT term_id, other_id, bool_and(mentioned) AS mentioned
    FROM (SELECT term_id, other_id, false AS mentioned FROM term_link
          UNION ALL SELECT other_id, term_id, false FROM term_link
          UNION ALL
          SELECT m.term_id, t.id, true
            FROM term_mention m JOIN namespace n ON n.folded = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.folded = m.name
          UNION ALL
          SELECT t.id, m.term_id, true
            FROM term_mention m JOIN namespace n ON n.folded = m.namespace
            JOIN term t ON t.namespace_id = n.id AND t.folded = m.name) link
   WHERE term_id <> other_id
   GROUP BY term_id, other_id;

-- What answers show of the definition of a term that they only refer to: at most 1,000 characters, since one answer
-- may refer to thousands. Neither question unpacks more of a stored text than it needs.
CREATE OR REPLACE FUNCTION shown_definition(definition text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(definition) <= 1000 OR char_length(left(definition, 1001)) <= 1000
    THEN definition ELSE left(definition, 999) || '…' END
$$;

-- TermRef.
CREATE OR REPLACE FUNCTION json_term_ref(t term, n namespace) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', t.id, 'name', t.name,
      'definition', shown_definition(t.definition),
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

-- What a term is linked with, as lists show and count it: live, listed entities, and columns of their
-- newest structure.
CREATE OR REPLACE FUNCTION term_entities(of_term bigint) RETURNS SETOF data_entity
  LANGUAGE sql STABLE PARALLEL SAFE AS
  -- By entity_linked_term the planner reads all mentions of the namespace.
  $$SELECT e.* FROM data_entity e
     WHERE e.id IN (SELECT entity_id FROM entity_term WHERE term_id = of_term
                    UNION
                    SELECT m.entity_id FROM entity_mention m
                     WHERE (m.namespace, m.name) =
                           (SELECT n.folded, t.folded FROM term t JOIN namespace n ON n.id = t.namespace_id
                             WHERE t.id = of_term))
       AND is_listed(e)$$;
CREATE OR REPLACE FUNCTION term_fields(of_term bigint) RETURNS TABLE (field_id bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH linked AS MATERIALIZED (
    SELECT f.id, f.dataset_id
      FROM field_linked_term l JOIN dataset_field f ON f.id = l.field_id
      JOIN data_entity e ON e.id = f.dataset_id
     WHERE l.term_id = of_term AND is_listed(e))
  SELECT l.id FROM linked l
    JOIN latest_fields(ARRAY(SELECT DISTINCT dataset_id FROM linked)) latest ON latest.field_id = l.id
$$;

-- Ownership of a term.
CREATE OR REPLACE FUNCTION json_term_ownership_of(o term_ownership) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_ownership_of(o.id, json_owner(w), t)
      FROM owner w LEFT JOIN title t ON t.id = o.title_id WHERE w.id = o.owner_id$$;

-- OwnershipList of a term.
CREATE OR REPLACE FUNCTION json_term_ownership(of_term bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_term_ownership_of(o) ORDER BY o.id), '[]')
      FROM term_ownership o WHERE o.term_id = of_term$$;

-- TagList of a term: important ones first.
CREATE OR REPLACE FUNCTION json_term_tags(of_term bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_tag(t, false, NULL) ORDER BY t.important DESC, t.name), '[]')
      FROM term_tag x JOIN tag t ON t.id = x.tag_id WHERE x.term_id = of_term$$;

-- LinkedTerm[] of a term, by name, at most 1,000.
CREATE OR REPLACE FUNCTION json_linked_terms(of_term bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(json_agg(json_linked_term(t, n, mentioned) ORDER BY (n).name, (t).name), '[]')
    FROM (SELECT t, n, l.mentioned
            FROM term_linked_term l JOIN term t ON t.id = l.other_id
            JOIN namespace n ON n.id = t.namespace_id
           WHERE l.term_id = of_term ORDER BY n.name, t.name LIMIT 1000) first
$$;

-- How often each of these terms is used: the totals of the lists of what is linked with it. All at once,
-- since terms of a page share datasets, whose newest structures may have thousands of fields.
CREATE OR REPLACE FUNCTION term_uses(ids bigint[])
  RETURNS TABLE (term_id bigint, entities bigint, fields bigint, terms bigint, examples bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH linked AS MATERIALIZED (
    SELECT l.term_id, f.id, f.dataset_id
      FROM field_linked_term l JOIN dataset_field f ON f.id = l.field_id
      JOIN data_entity e ON e.id = f.dataset_id
     WHERE l.term_id = ANY(ids) AND is_listed(e))
  SELECT wanted.id, coalesce(e.uses, 0), coalesce(f.uses, 0), coalesce(t.uses, 0),
         coalesce(x.uses, 0)
    FROM unnest(ids) AS wanted (id)
    LEFT JOIN (SELECT l.term_id, count(*) AS uses
                 FROM entity_linked_term l JOIN data_entity e ON e.id = l.entity_id
                WHERE l.term_id = ANY(ids) AND is_listed(e) GROUP BY 1) e ON e.term_id = wanted.id
    LEFT JOIN (SELECT linked.term_id, count(*) AS uses
                 FROM latest_fields(ARRAY(SELECT DISTINCT dataset_id FROM linked)) latest
                 JOIN linked ON linked.id = latest.field_id GROUP BY 1) f ON f.term_id = wanted.id
    LEFT JOIN (SELECT l.term_id, count(*) AS uses
                 FROM term_linked_term l WHERE l.term_id = ANY(ids) GROUP BY 1) t
      ON t.term_id = wanted.id
    LEFT JOIN (SELECT q.term_id, count(*) AS uses
                 FROM term_query_example q WHERE q.term_id = ANY(ids) GROUP BY 1) x
      ON x.term_id = wanted.id
$$;

-- Term, used that often, with this of its definition.
CREATE OR REPLACE FUNCTION json_term(
  t term, definition text, n namespace, entities bigint, fields bigint, terms bigint, examples bigint)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', t.id, 'name', t.name, 'definition', definition,
      'namespace', json_named(n.id, n.name), 'ownership', json_term_ownership(t.id),
      'entities_using_count', entities, 'columns_using_count', fields,
      'linked_terms_using_count', terms, 'query_example_using_count', examples,
      'created_at', iso(t.created_at), 'updated_at', iso(t.updated_at))$$;

-- TermList of one page: the terms of `ids`, in that order, of `total` in all.
CREATE OR REPLACE FUNCTION json_term_list(ids bigint[], total bigint, has_next boolean) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    'items', (
      SELECT coalesce(json_agg(json_term(t, shown_definition(t.definition), n,
                                         u.entities, u.fields, u.terms, u.examples)
                               ORDER BY page.place), '[]')
        FROM unnest(ids) WITH ORDINALITY AS page (id, place) JOIN term t ON t.id = page.id
        JOIN namespace n ON n.id = t.namespace_id JOIN term_uses(ids) u ON u.term_id = t.id),
    'page_info', json_build_object('total', total, 'hasNext', has_next))
$$;

-- TermDetails, or null.
CREATE OR REPLACE FUNCTION json_term_details(of_term bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_join(json_term(t, t.definition, n, u.entities, u.fields, u.terms, u.examples), json_build_object(
           'tags', json_term_tags(t.id), 'terms', json_linked_terms(t.id)))
    FROM term t JOIN namespace n ON n.id = t.namespace_id, term_uses(ARRAY[of_term]) u
   WHERE t.id = of_term
$$;
