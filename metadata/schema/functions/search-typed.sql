-- What is typed into a search, as queries: every word must be found, words in quotation marks next to each other.

-- The lexemes of separate words, in their order.
CREATE OR REPLACE FUNCTION search_lexemes(words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(l.lexeme ORDER BY p.place)
    FROM unnest(to_tsvector('simple', words)) AS l, unnest(l.positions) AS p (place)
$$;

-- The tokens of a text with their lexemes. `run`: letters of a script without spaces between words; its lexemes are the
-- pairs of neighbours, or its only letter. `head` and `tail`: the lexemes with which such a run begins and ends in a document.
CREATE OR REPLACE FUNCTION search_tokens(t text)
  RETURNS TABLE (place bigint, run boolean, lexemes text[], head text[], tail text[])
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT place, run,
         CASE WHEN run AND char_length(token) > 1 THEN search_lexemes((
           SELECT string_agg(substr(token, n, 2), ' ' ORDER BY n)
             FROM generate_series(1, char_length(token) - 1) AS n)) ELSE search_lexemes(token) END,
         search_lexemes(left(token, 1)), search_lexemes(right(token, 1))
    FROM (SELECT token, place, octet_length(token) > char_length(token)
                 AND btrim(search_spaced(token, true)) LIKE '% %' AS run
            FROM string_to_table(translate(search_spaced(t, false), '_./-@+&<', '        '), ' ')
              WITH ORDINALITY AS s (token, place)
           WHERE token <> '') apart
$$;

-- What is typed, by its words and by what stands in quotation marks (`quoted`). `whole` are its lexemes, `parts` those of
-- the parts of camel case, `unfolded` those with diacritics, as texts have them that are indexed without search_fold().
DROP FUNCTION IF EXISTS search_typed(text);
CREATE OR REPLACE FUNCTION search_typed(typed text)
  RETURNS TABLE (n bigint, quoted boolean, said text, whole text[], parts text[], unfolded text[])
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT n, quoted, said,
         ARRAY(SELECT DISTINCT unnest(lexemes) FROM search_tokens(said)),
         ARRAY(SELECT DISTINCT unnest(lexemes) FROM search_tokens(search_camel(said))),
         CASE WHEN octet_length(said) > char_length(said)
              THEN search_lexemes(search_lower(translate(said, '_./-@+&<', '        '))) END
    FROM (SELECT n, m[1] IS NOT NULL AS quoted, coalesce(m[1], m[2]) AS said
            FROM regexp_matches(translate(left(typed, 2000), '“”„‟«»＂', '"""""""'),
                                '"([^"]*)"|([^\s"]+)', 'g') WITH ORDINALITY AS s (m, n)
           ORDER BY n LIMIT 64) unit
$$;

-- A lexeme in a query: by its beginning, or `exact`; or by any of the words that `others` has for it.
CREATE OR REPLACE FUNCTION search_lexeme(lexeme text, exact boolean, others jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN exact THEN quote_literal(lexeme) WHEN others -> lexeme IS NULL THEN quote_literal(lexeme) || ':*'
    ELSE '(' || quote_literal(lexeme) || ':*' || (
      SELECT string_agg(' | ' || quote_literal(w) || ':*', '') FROM jsonb_array_elements_text(others -> lexeme) w) || ')' END
$$;

-- A text as a query: all its words or, as a `phrase`, one behind the other. Runs of letters are phrases anyway; at the ends
-- of a phrase they may go on. Null when it has no words.
CREATE OR REPLACE FUNCTION search_clause(t text, exact boolean, phrase boolean, others jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH token AS (
    SELECT *, row_number() OVER (ORDER BY place) = 1 AS first, row_number() OVER (ORDER BY place DESC) = 1 AS last
      FROM search_tokens(t) WHERE lexemes IS NOT NULL),
  clause AS (
    SELECT place, CASE
             WHEN NOT run THEN (
               SELECT string_agg(search_lexeme(l, exact OR phrase, others), CASE WHEN phrase THEN ' <-> ' ELSE ' & ' END
                        ORDER BY n) FROM unnest(lexemes) WITH ORDINALITY AS x (l, n))
             WHEN char_length(lexemes[1]) = 1 AND (NOT phrase OR first AND last) THEN quote_literal(lexemes[1]) || ':*'
             ELSE '(' || (
               SELECT string_agg(quote_literal(l), ' <-> ' ORDER BY n)
                 FROM unnest(CASE WHEN phrase AND NOT first THEN head END ||
                             CASE WHEN NOT phrase OR char_length(lexemes[1]) > 1 THEN lexemes END ||
                             CASE WHEN phrase AND NOT last THEN tail END) WITH ORDINALITY AS x (l, n)) || ')' END AS text
      FROM token)
  SELECT string_agg(text, CASE WHEN phrase THEN ' <-> ' ELSE ' & ' END ORDER BY place) FROM clause
$$;

-- What is typed, as a query: all its words, each found whole, or by all its parts. Null when nothing in it can be looked up.
CREATE OR REPLACE FUNCTION search_query_of(typed text, exact boolean, others jsonb) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg('(' || concat_ws(' | ', '(' || whole || ')', '(' || parts || ')', '(' || unfolded || ')') || ')', ' & '
    ORDER BY n)::tsquery
  FROM (SELECT n, search_clause(said, exact, quoted, others) AS whole,
               search_clause(search_camel(said), exact, quoted, NULL) AS parts,
               (SELECT string_agg(search_lexeme(l, exact OR quoted, NULL),
                                  CASE WHEN quoted THEN ' <-> ' ELSE ' & ' END ORDER BY x.n)
                  FROM unnest(unfolded) WITH ORDINALITY AS x (l, n)) AS unfolded
          FROM search_typed(typed)) term
 WHERE whole IS NOT NULL OR unfolded IS NOT NULL
$$;

-- Words by their beginnings: the last letters of each may be missing.
CREATE OR REPLACE FUNCTION search_query(typed text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT search_query_of(typed, false, NULL)';

-- Whole words.
CREATE OR REPLACE FUNCTION search_query_whole(typed text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT search_query_of(typed, true, NULL)';
