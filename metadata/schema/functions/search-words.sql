-- Words of texts. Documents and queries go through the same search_words(), so what was indexed is found whatever its
-- punctuation, letter case and diacritics: `sales.order_items` is the words sales, order, items; `Kürten` is kurten.

-- Lower case for every script, whatever the locale of the database (the packaged one has "C").
DO $$
DECLARE name text;
BEGIN
  SELECT collname INTO name FROM pg_collation
  WHERE collname IN ('pg_c_utf8', 'und-x-icu')
  ORDER BY collname = 'pg_c_utf8' DESC LIMIT 1;
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION search_lower(t text) RETURNS text
       LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
    CASE WHEN name IS NULL THEN 'SELECT lower(t)'
         ELSE format('SELECT lower(t COLLATE %I)', name) END);
END $$;

-- Letters without their marks, in the letter case that they have; full-width and other compatibility forms as plain ones.
-- Only marks that are written above or below a letter are removed: those of Indic scripts and of kana tell letters apart.
-- Characters that are not seen (soft hyphens, joiners, directions) are removed too.
CREATE OR REPLACE FUNCTION search_unmarked(t text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT normalize(regexp_replace(normalize(t, NFKD),
    '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+',
    '', 'g'), NFC)
$$;

-- Lower case without diacritics; letters that Unicode does not decompose are written as most people type them.
CREATE OR REPLACE FUNCTION search_fold(t text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(t) = char_length(t) THEN search_lower(t)
    ELSE replace(replace(replace(replace(
      translate(search_lower(search_unmarked(t)), 'øłđðħıŧς', 'olddhitσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END
$$;

-- Folded text beyond ASCII with spaces for marks that separate words, and around runs of letters of scripts that are
-- written without spaces between words (Han, kana, Hangul, Thai, Lao, Myanmar, Khmer). The marks are listed, since what
-- PostgreSQL takes for a letter depends on the locale of its database. `pairs`: such a run abc is the words a, ab, bc, c,
-- so that each part of it is a phrase of neighbours.
CREATE OR REPLACE FUNCTION search_spaced(t text, pairs boolean) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  run CONSTANT text := '[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]';
  marks CONSTANT text := '[\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b\u061e\u061f\u066a-\u066d\u06d4\u0964\u0965\u1361-\u1368\u17d4-\u17da\u2000-\u206f\u20a0-\u20cf\u2190-\u245f\u2500-\u25ff\u27c0-\u27ff\u2900-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u303f\u30a0\u30fb\ufe30-\ufe6f\uff00-\uff65\uffe0-\uffef]+';
  spaced text := regexp_replace(search_fold(t), marks, ' ', 'g');
BEGIN
  IF spaced ~ run THEN
    spaced := regexp_replace(spaced, run || '+', ' \& ', 'g');
    IF pairs THEN
      spaced := regexp_replace(spaced, run, '\& \&', 'g');
    END IF;
  END IF;
  RETURN spaced;
END $$;

-- Text as words apart. Of ASCII, those marks are removed that the text search parser would take for part of a host, a path,
-- an e-mail address, a signed number, a tag or a compound; others separate words anyway.
CREATE OR REPLACE FUNCTION search_words(t text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(t) = char_length(t) THEN search_lower(translate(t, '_./-@+&<', '        '))
    ELSE translate(search_spaced(t, true), '_./-@+&<', '        ') END
$$;

-- The words of a text that fit into `bytes` bytes of UTF-8, the last of them whole.
CREATE OR REPLACE FUNCTION search_shortened(t text, bytes integer) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  short text := left(t, greatest(bytes, 0));
  over integer := octet_length(short) - bytes;
BEGIN
  WHILE over > 0 LOOP
    -- A character takes four bytes at most, so this is never too much.
    short := left(short, -((over + 3) / 4));
    over := octet_length(short) - bytes;
  END LOOP;
  RETURN regexp_replace(short, '\S*$', '');
END $$;

-- At most `bytes` bytes of UTF-8, since a vector may hold 1 MB.
CREATE OR REPLACE FUNCTION search_cut(t text, bytes integer) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN octet_length(t) <= bytes THEN t ELSE search_shortened(t, bytes) END
$$;

-- The words of a text that fit into `bytes` bytes. Beyond ASCII words may be longer than what they are made of.
CREATE OR REPLACE FUNCTION search_words_within(t text, bytes integer) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_cut(search_words(search_cut(t, bytes)), bytes)
$$;

-- The words of a text as names are compared: with one space between them, runs of letters whole; empty when it has none.
CREATE OR REPLACE FUNCTION search_plain(t text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(CASE WHEN octet_length(t) = char_length(t) THEN search_lower(t)
    ELSE search_spaced(t, false) END, '[\u0001-/:-@[-`{-\u007f]+', ' ', 'g'))
$$;

-- A name as it is compared with others: its first 200 characters.
CREATE OR REPLACE FUNCTION search_name(t text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(search_plain(left(t, 200)), 200)
$$;

-- `orderItems` as `order Items`, `HTTPServer` as `HTTP Server`; null where there is nothing to part.
CREATE OR REPLACE FUNCTION search_camel(t text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(t) = char_length(t)
    THEN CASE WHEN t ~ '[a-z0-9][A-Z]|[A-Z][A-Z][a-z]' THEN
      regexp_replace(regexp_replace(t, '([a-z0-9])([A-Z])', '\1 \2', 'g'),
        '([A-Z])([A-Z][a-z])', '\1 \2', 'g') END
    ELSE search_camel_beyond(search_unmarked(t)) END
$$;

-- The same for Latin letters without marks, Greek and Cyrillic ones.
CREATE OR REPLACE FUNCTION search_camel_beyond(t text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  lower CONSTANT text := '[a-z0-9ßæœøłđα-ωа-џ]';
  upper CONSTANT text := '[A-ZÆŒØŁĐΑ-ΩЀ-Я]';
  parts text := regexp_replace(regexp_replace(t, '(' || lower || ')(' || upper || ')', '\1 \2', 'g'),
    '(' || upper || ')(' || upper || lower || ')', '\1 \2', 'g');
BEGIN
  RETURN CASE WHEN parts <> t THEN parts END;
END $$;
