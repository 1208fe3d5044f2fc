-- Codes, names and times as answers write them. Functions that read no table are single expressions,
-- which the planner inlines into the query. Optional members that are absent are explicit nulls.

-- Whether an entity of this status is there: every status but DELETED (5). No other SQL says so, but for the
-- conditions of indexes, which match it since the planner inlines it.
CREATE OR REPLACE FUNCTION is_live(status smallint) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT status <> 5$$;

-- A time as the API writes it: RFC 3339, UTC, milliseconds.
CREATE OR REPLACE FUNCTION iso(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT to_char(at AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')$$;

-- The members of two objects in one.
CREATE OR REPLACE FUNCTION json_join(a json, b json) RETURNS json
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT (left(a::text, -1) || ', ' || substr(b::text, 2))::json$$;
-- The same of three, as text: for long lists, since making json of it parses it.
CREATE OR REPLACE FUNCTION text_join(a json, b json, c json) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT left(a::text, -1) || ', ' || left(substr(b::text, 2), -1) || ', ' || substr(c::text, 2)$$;
DROP FUNCTION IF EXISTS json_join(json, json, json);

-- A map of strings: what is not a string becomes its JSON text.
CREATE OR REPLACE FUNCTION json_string_map(object jsonb) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_object_agg(key, value ORDER BY key), '{}')
      FROM jsonb_each_text(CASE jsonb_typeof(object) WHEN 'object' THEN object ELSE '{}' END)$$;

CREATE OR REPLACE FUNCTION json_named(id bigint, name text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN id IS NOT NULL THEN json_build_object('id', id, 'name', name) END$$;

-- json_type(type_id): DataEntityType. json_class(class_id): DataEntityClass with all its types.
-- json_classes(class_ids): DataEntityClass[] in order of id; an empty array for none.
-- Their texts are constants, written here from entity_class and entity_type, so that no call reads
-- a table, and those of one class, as most entities have, are not parsed either.
DO $make$
DECLARE
  class_cases  text;
  type_cases   text;
  class_lists  text;
  class_pieces text;
BEGIN
  SELECT string_agg(format('WHEN %s THEN %L::json', t.id, json_named(t.id, t.name)), ' ' ORDER BY t.id)
    INTO type_cases FROM entity_type t;
  WITH class AS (
    SELECT c.id, json_build_object('id', c.id, 'name', c.name, 'types',
             (SELECT json_agg(json_named(t.id, t.name) ORDER BY t.id)
                FROM entity_type t WHERE c.id = ANY (t.class_ids)))::text AS piece
      FROM entity_class c)
  SELECT string_agg(format('WHEN %s THEN %L::json', id, piece), ' ' ORDER BY id),
         string_agg(format('WHEN %s THEN %L::json', id, '[' || piece || ']'), ' ' ORDER BY id),
         string_agg(format('CASE WHEN %s = ANY (class_ids) THEN %L END', id, piece), ', ' ORDER BY id)
    INTO class_cases, class_lists, class_pieces FROM class;
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION json_type(type_id smallint) RETURNS json
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      'SELECT CASE type_id %s END';
    CREATE OR REPLACE FUNCTION json_class(class_id smallint) RETURNS json
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      'SELECT CASE class_id %s END';
    CREATE OR REPLACE FUNCTION json_classes(class_ids smallint[]) RETURNS json
      LANGUAGE sql STABLE PARALLEL SAFE AS
      %L$f$,
    replace(type_cases, '''', ''''''), replace(class_cases, '''', ''''''),
    'SELECT CASE WHEN cardinality(class_ids) = 1 THEN CASE class_ids[1] ' || class_lists || ' ELSE ''[]''::json END
       ELSE (''['' || concat_ws('','', ' || class_pieces || ') || '']'')::json END');
END $make$;

-- Names of classes, in order of their ids: how states of the activity feed hold them.
CREATE OR REPLACE FUNCTION class_names(class_ids smallint[]) RETURNS text[]
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(array_agg(c.name ORDER BY c.id), '{}') FROM entity_class c WHERE c.id = ANY(class_ids)$$;

-- Whether the last batch that named it is older than that many days; never ingested is never stale.
CREATE OR REPLACE FUNCTION is_stale(last_ingested_at timestamptz, days integer) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(last_ingested_at < now() - make_interval(days => days), false)$$;

-- The system that a data source belongs to: the first part of its CATRN (`//postgresql/...`).
CREATE OR REPLACE FUNCTION catrn_system(catrn text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT coalesce(substring(catrn FROM '^/*([^/]+)'), catrn)$$;
