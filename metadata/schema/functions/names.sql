-- Names of namespaces, owners, tags, titles and terms: those that differ only in case or Unicode normal form are one.

-- What all spellings of a name have in common; of a long one a digest, since an index holds it. Full case folding (ß is ss)
-- where the server has it, else that of the best collation it has.
DO $make$
DECLARE fold text;
BEGIN
  SELECT CASE collname
           WHEN 'pg_unicode_fast' THEN 'casefold(normalize(name, NFD) COLLATE pg_unicode_fast)'
           WHEN 'und-x-icu' THEN 'lower(upper(normalize(name, NFD) COLLATE "und-x-icu"))'
           ELSE 'replace(lower(normalize(name, NFD) COLLATE pg_c_utf8), ''ß'', ''ss'')' END
    INTO fold
    FROM pg_collation WHERE collname IN ('pg_unicode_fast', 'und-x-icu', 'pg_c_utf8')
    ORDER BY array_position(ARRAY['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8'], collname::text) LIMIT 1;
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS
      $b$SELECT CASE WHEN octet_length(k) > 1000 THEN md5(k) ELSE k END COLLATE "C"
           FROM (SELECT normalize(%s, NFC)) AS f (k)$b$$f$, coalesce(fold, 'lower(normalize(name, NFD))'));
END $make$;

-- Fills `folded`. A row of the release before, which knows no spellings, may duplicate another; no row may be renamed to
-- what another is called. Arguments of the trigger: the column within which names are one, if any.
CREATE OR REPLACE FUNCTION fold_name() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken boolean;
  within text := CASE WHEN TG_NARGS > 0 THEN format('AND %1$I = ($1).%1$I', TG_ARGV[0]) ELSE '' END;
BEGIN
  IF TG_OP = 'INSERT' AND NEW.folded IS NOT NULL THEN RETURN NEW; END IF;
  NEW.folded := name_key(NEW.name);
  IF TG_OP = 'UPDATE' AND NEW.folded = OLD.folded AND
     to_jsonb(NEW) ->> TG_ARGV[0] IS NOT DISTINCT FROM to_jsonb(OLD) ->> TG_ARGV[0] THEN RETURN NEW; END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE folded = ($1).folded %s AND id <> ($1).id)',
    TG_TABLE_NAME, within) USING NEW INTO taken;
  IF taken AND TG_OP = 'UPDATE' THEN
    RAISE unique_violation USING MESSAGE = format('another row of "%s" has the name "%s"', TG_TABLE_NAME, NEW.name),
      TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_one';
  END IF;
  NEW.is_duplicate := taken;
  RETURN NEW;
END $$;

-- What a text mentions is kept folded, so that every spelling means the term.
CREATE OR REPLACE FUNCTION fold_mention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.namespace := name_key(NEW.namespace);
  NEW.name := name_key(NEW.name);
  RETURN NEW;
END $$;

-- The triggers, and what was stored before them: the eldest row of a name is the one that counts.
DO $$
DECLARE kind text; of text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['namespace', 'owner', 'tag', 'title', 'term'] LOOP
    of := CASE kind WHEN 'term' THEN 'namespace_id' END;
    EXECUTE format('UPDATE %1$I x SET folded = y.folded, is_duplicate = y.nth > 1
      FROM (SELECT id, name_key(name) AS folded, row_number() OVER (PARTITION BY %2$s name_key(name) ORDER BY id) AS nth
              FROM %1$I) y
      WHERE y.id = x.id AND x.folded IS NULL', kind, of || ',');
    EXECUTE format('CREATE OR REPLACE TRIGGER fold_new BEFORE INSERT ON %I
      FOR EACH ROW EXECUTE FUNCTION fold_name(%s)', kind, of);
    EXECUTE format('CREATE OR REPLACE TRIGGER fold_renamed BEFORE UPDATE OF %s ON %I
      FOR EACH ROW EXECUTE FUNCTION fold_name(%s)', concat_ws(', ', 'name', of), kind, of);
  END LOOP;
  FOREACH kind IN ARRAY ARRAY['entity_mention', 'field_mention', 'term_mention'] LOOP
    of := split_part(kind, '_', 1) || '_id';
    EXECUTE format('CREATE OR REPLACE TRIGGER fold_new BEFORE INSERT ON %I
      FOR EACH ROW EXECUTE FUNCTION fold_mention()', kind);
    EXECUTE format('WITH gone AS (
        DELETE FROM %1$I m WHERE (m.namespace, m.name) <> (name_key(m.namespace), name_key(m.name)) RETURNING *)
      INSERT INTO %1$I SELECT DISTINCT %2$I, name_key(namespace), name_key(name) FROM gone ON CONFLICT DO NOTHING',
      kind, of);
  END LOOP;
END $$;
