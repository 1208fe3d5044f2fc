-- What is typed into a search, as queries: every word must be found, words in quotation marks next to each other.

-- The lexemes of separate words, in their order.
CREATE OR REPLACE FUNCTION search_lexemes(words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(l.lexeme ORDER BY p.place)
    FROM unnest(to_tsvector('simple', words)) AS l, unnest(l.positions) AS p (place)
$$;

-- What is typed, by its words and by what stands in quotation marks (`quoted`).
CREATE OR REPLACE FUNCTION search_units(typed text) RETURNS TABLE (n bigint, quoted boolean, said text)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT n, m[1] IS NOT NULL, coalesce(m[1], m[2])
    FROM regexp_matches(translate(left(typed, 2000), '“”„‟«»＂', '"""""""'),
                        '"([^"]*)"|([^\s"]+)', 'g') WITH ORDINALITY AS s (m, n)
   ORDER BY n LIMIT 64
$$;

-- A text as words with their diacritics, as texts have them that are indexed without search_fold().
CREATE OR REPLACE FUNCTION search_unfolded(t text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_lower(translate(t, '_./-@+&<', '        '))
$$;

-- The lexemes of what is typed, each once; of runs of letters their pairs. `parts`: those of the parts of camel case.
DROP FUNCTION IF EXISTS search_typed(text);
CREATE OR REPLACE FUNCTION search_typed(typed text)
  RETURNS TABLE (n bigint, quoted boolean, whole text[], parts text[])
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT n, quoted, search_sought(said), search_sought(search_camel(said)) FROM search_units(typed)
$$;

-- The lexemes that a document must have to have a text: without those with which runs of letters begin and end.
CREATE OR REPLACE FUNCTION search_sought(t text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF octet_length(t) = char_length(t) THEN
    RETURN tsvector_to_array(to_tsvector('simple', search_words(t)));
  END IF;
  RETURN (
    SELECT coalesce(array_agg(DISTINCT l), '{}')
      FROM string_to_table(translate(search_spaced(t, false), '_./-@+&<', '        '), ' ') AS token,
           unnest(search_lexemes(CASE WHEN char_length(token) > 1 AND search_is_run(token)
             THEN (SELECT string_agg(substr(token, n, 2), ' ') FROM generate_series(1, char_length(token) - 1) AS n)
             ELSE token END)) AS l);
END $$;

-- A lexeme in a query: by its beginning, or `exact`; or by any of the words that `others` has for it.
CREATE OR REPLACE FUNCTION search_lexeme(lexeme text, exact boolean, others jsonb) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF exact THEN
    RETURN quote_literal(lexeme);
  ELSIF others -> lexeme IS NULL THEN
    RETURN quote_literal(lexeme) || ':*';
  END IF;
  RETURN '(' || quote_literal(lexeme) || ':*' || (
    SELECT string_agg(' | ' || quote_literal(w) || ':*', '') FROM jsonb_array_elements_text(others -> lexeme) w) || ')';
END $$;

-- A text as a query: all its words or, as a `phrase`, one behind the other. Runs of letters are phrases anyway; at the ends
-- of a phrase they may go on. Null when it has no words. In PL/pgSQL, which plans its statements once a connection: as one
-- query this took ten times as long.
CREATE OR REPLACE FUNCTION search_clause(t text, exact boolean, phrase boolean, others jsonb) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  tokens text[] := array_remove(string_to_array(
    translate(CASE WHEN octet_length(t) = char_length(t) THEN search_lower(t) ELSE search_spaced(t, false) END,
      '_./-@+&<', '        '), ' '), '');
  ahead CONSTANT text := CASE WHEN phrase THEN ' <-> ' ELSE ' & ' END;
  clause text;
  part text;
BEGIN
  FOR i IN 1 .. coalesce(cardinality(tokens), 0) LOOP
    part := CASE WHEN search_is_run(tokens[i])
      THEN search_run(tokens[i], phrase AND i > 1, phrase AND i < cardinality(tokens))
      ELSE search_token(tokens[i], exact OR phrase, ahead, others) END;
    IF part IS NOT NULL THEN
      clause := coalesce(clause || ahead, '') || part;
    END IF;
  END LOOP;
  RETURN clause;
END $$;

-- Whether a folded token consists of letters of a script without spaces between words.
CREATE OR REPLACE FUNCTION search_is_run(token text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN octet_length(token) > char_length(token) AND btrim(search_spaced(token, true)) LIKE '% %';
END $$;

-- A token in a query; mostly it is one lexeme.
CREATE OR REPLACE FUNCTION search_token(token text, exact boolean, ahead text, others jsonb) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  lexemes text[] := tsvector_to_array(to_tsvector('simple', token));
BEGIN
  IF cardinality(lexemes) = 1 THEN
    RETURN search_lexeme(lexemes[1], exact, others);
  END IF;
  RETURN (SELECT string_agg(search_lexeme(l, exact, others), ahead ORDER BY n)
            FROM unnest(search_lexemes(token)) WITH ORDINALITY AS x (l, n));
END $$;

-- A run of letters in a query: its pairs next to each other. `begins` and `ends`: so must be a run of a document.
CREATE OR REPLACE FUNCTION search_run(token text, begins boolean, ends boolean) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  size CONSTANT integer := char_length(token);
BEGIN
  IF size = 1 AND NOT begins AND NOT ends THEN
    RETURN quote_literal(token) || ':*';
  END IF;
  RETURN (SELECT '(' || string_agg(quote_literal(l), ' <-> ' ORDER BY n) || ')'
            FROM unnest(search_lexemes(concat_ws(' ', CASE WHEN begins THEN left(token, 1) END,
              (SELECT string_agg(substr(token, n, 2), ' ' ORDER BY n) FROM generate_series(1, size - 1) AS n),
              CASE WHEN ends THEN right(token, 1) END))) WITH ORDINALITY AS x (l, n));
END $$;

-- What is typed, as a query: all its words, each found whole, by all its parts, or unfolded. Null when nothing in it can be
-- looked up.
CREATE OR REPLACE FUNCTION search_query_of(typed text, exact boolean, others jsonb) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  unit record;
  ways text;
  built text;
BEGIN
  FOR unit IN SELECT * FROM search_units(typed) LOOP
    ways := concat_ws(' | ',
      '(' || search_clause(unit.said, exact, unit.quoted, others) || ')',
      '(' || search_clause(search_camel(unit.said), exact, unit.quoted, NULL) || ')');
    IF octet_length(unit.said) > char_length(unit.said) THEN
      ways := concat_ws(' | ', nullif(ways, ''), (
        SELECT '(' || string_agg(search_lexeme(l, exact OR unit.quoted, NULL),
                 CASE WHEN unit.quoted THEN ' <-> ' ELSE ' & ' END ORDER BY n) || ')'
          FROM unnest(search_lexemes(search_unfolded(unit.said))) WITH ORDINALITY AS x (l, n)));
    END IF;
    IF ways <> '' THEN
      built := coalesce(built || ' & ', '') || '(' || ways || ')';
    END IF;
  END LOOP;
  RETURN built::tsquery;
END $$;

-- Words by their beginnings: the last letters of each may be missing.
CREATE OR REPLACE FUNCTION search_query(typed text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT search_query_of(typed, false, NULL)';

-- Whole words.
CREATE OR REPLACE FUNCTION search_query_whole(typed text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT search_query_of(typed, true, NULL)';
