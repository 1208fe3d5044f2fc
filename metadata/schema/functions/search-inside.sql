-- Parts of words: `license` finds `mylicenses`. Words of names are kept once each (search_word), whatever the number of
-- things that have them, and what is typed is looked up among them first.

-- The words of names by which parts are found: without the digits at their end, of which there may be any number, and
-- without what looks like a key (many changes between letters and digits). As `wordsOfNames` in
-- metadata/catalogue/search-vector.ts.
CREATE OR REPLACE FUNCTION search_stems(names text[]) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT way.stem COLLATE "C"
    FROM (SELECT DISTINCT token FROM unnest(names) AS name, string_to_table(search_plain(name), ' ') AS token
           WHERE char_length(token) BETWEEN 4 AND 64) tokens, LATERAL (VALUES
      (rtrim(token, '0123456789'), token ~ '^([0-9]{0,3}[^0-9]+){1,3}[0-9]*$'),
      (token, token ~ '^[^0-9]{2,}[0-9]{3,4}$')) AS way (stem, holds)
   WHERE char_length(way.stem) >= 4 AND way.holds
$$;

-- The parts of a word that begin within it, as lexemes: where its letters go on, and where digits begin.
CREATE OR REPLACE FUNCTION search_inner(word text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(coalesce(array_agg(DISTINCT substr(word, n)), '{}'))
    FROM generate_series(2, char_length(word) - 2) AS n
   WHERE substr(word, n - 1, 2) !~ '^[0-9][0-9]' AND (word !~ '[0-9]$' OR substr(word, n) ~ '^[0-9]+$')
$$;

-- Makes parts of these words findable. What others add at the same time is added twice, which does no harm; to wait for
-- them would make batches follow one another.
CREATE OR REPLACE FUNCTION search_learn(stems text[]) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO search_word (word, inner_parts)
  SELECT stem, search_inner(stem) FROM unnest(stems) AS stem
   WHERE NOT EXISTS (SELECT FROM search_word k WHERE k.word = stem)
$$;

-- For each of the first words that are typed, the words of names that have it within them, the shortest first.
CREATE OR REPLACE FUNCTION search_around(typed text) RETURNS jsonb
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_object_agg(lexeme, words) FROM (
    SELECT l.lexeme, (SELECT jsonb_agg(word) FROM (
             SELECT DISTINCT char_length(word), word FROM search_word
              WHERE inner_parts @@ (quote_literal(l.lexeme) || ':*')::tsquery
              ORDER BY 1, 2 LIMIT 200) found) AS words
      FROM (SELECT lexeme, min(n) AS n FROM search_typed(typed), unnest(whole) AS lexeme
             WHERE NOT quoted AND char_length(lexeme) >= 3
             GROUP BY lexeme ORDER BY 2, 1 LIMIT 16) l) around
   WHERE words IS NOT NULL
$$;

-- Words by their beginnings, or within words of names.
CREATE OR REPLACE FUNCTION search_query_inside(typed text) RETURNS tsquery
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT search_query_of(typed, false, search_around(typed))';
