-- References that are looked up once a statement. A foreign key looks up and locks a row for each row
-- that is inserted, which took more time of a batch than all else. These promise the same: what is
-- inserted names rows that are there and stay until the transaction ends, and rows that are named are
-- not deleted. Referring columns never change, since an update would need a look-up of its own.

CREATE OR REPLACE FUNCTION refuse_dangling() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids bigint[]; held bigint[]; col text; referred text;
BEGIN
  FOR i IN 0 .. TG_NARGS / 2 - 1 LOOP
    col := TG_ARGV[2 * i];
    referred := TG_ARGV[2 * i + 1];
    EXECUTE format('SELECT ARRAY(SELECT DISTINCT %I FROM added)', col) INTO ids;
    CONTINUE WHEN cardinality(ids) = 0;
    EXECUTE format('SELECT ARRAY(SELECT id FROM %I WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE)',
      referred) INTO held USING ids;
    IF cardinality(held) < cardinality(ids) THEN
      RAISE foreign_key_violation USING
        MESSAGE = format('insert on table "%s" violates its reference to "%s"', TG_TABLE_NAME, referred),
        DETAIL = format('Key (%s)=(%s) is not present in table "%s".', col,
          (SELECT id FROM unnest(ids) id WHERE id <> ALL (held) LIMIT 1), referred),
        TABLE = TG_TABLE_NAME, CONSTRAINT = format('%s_%s_fkey', TG_TABLE_NAME, col);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refuse_deserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE named bigint;
BEGIN
  FOR i IN 0 .. TG_NARGS / 2 - 1 LOOP
    EXECUTE format(
      'SELECT id FROM gone WHERE EXISTS (SELECT FROM %1$I r WHERE r.%2$I = gone.id) LIMIT 1',
      TG_ARGV[2 * i], TG_ARGV[2 * i + 1]) INTO named;
    IF named IS NOT NULL THEN
      RAISE foreign_key_violation USING
        MESSAGE = format('delete on table "%s" violates a reference of "%s"', TG_TABLE_NAME, TG_ARGV[2 * i]),
        DETAIL = format('Key (id)=(%s) is still referenced from table "%s".', named, TG_ARGV[2 * i]),
        TABLE = TG_ARGV[2 * i], CONSTRAINT = format('%s_%s_fkey', TG_ARGV[2 * i], TG_ARGV[2 * i + 1]);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refuse_redirected() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation
    USING MESSAGE = format('columns of table "%s" that refer to others do not change', TG_TABLE_NAME);
END $$;

-- Every such reference: the table and column that refer, and the table whose id is meant.
CREATE OR REPLACE VIEW statement_reference AS
  SELECT * FROM (VALUES
    ('entity_tag', 'entity_id', 'data_entity'),
    ('entity_tag', 'tag_id', 'tag'),
    ('metadata_value', 'entity_id', 'data_entity'),
    ('metadata_value', 'field_id', 'metadata_field'),
    ('dataset_version', 'dataset_id', 'data_entity'),
    ('dataset_field', 'dataset_id', 'data_entity'),
    ('field_tag', 'field_id', 'dataset_field'),
    ('field_tag', 'tag_id', 'tag'),
    ('field_metadata_value', 'field_id', 'dataset_field'),
    ('field_metadata_value', 'metadata_field_id', 'metadata_field'),
    ('enum_value', 'field_id', 'dataset_field'),
    ('field_term', 'field_id', 'dataset_field'),
    ('field_mention', 'field_id', 'dataset_field'),
    ('lineage_edge', 'establisher_id', 'data_entity'),
    ('column_edge', 'establisher_id', 'data_entity'),
    ('search_document', 'entity_id', 'data_entity')
  ) AS r (referring, col, referred);

DO $$
DECLARE r record;
BEGIN
  FOR r IN SELECT referring, string_agg(format('%L, %L', col, referred), ', ' ORDER BY col) AS args,
                  string_agg(format('%I', col), ', ' ORDER BY col) AS cols
             FROM statement_reference GROUP BY 1 LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER reference_checked AFTER INSERT ON %I
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_dangling(%s)',
      r.referring, r.args);
    EXECUTE format('CREATE OR REPLACE TRIGGER reference_fixed BEFORE UPDATE OF %s ON %I
      FOR EACH ROW EXECUTE FUNCTION refuse_redirected()', r.cols, r.referring);
  END LOOP;
  FOR r IN SELECT referred,
                  string_agg(format('%L, %L', referring, col), ', ' ORDER BY referring, col) AS args
             FROM statement_reference GROUP BY 1 LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER referred_to AFTER DELETE ON %I
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_deserted(%s)',
      r.referred, r.args);
  END LOOP;
END $$;
