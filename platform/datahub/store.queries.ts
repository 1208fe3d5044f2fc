import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 urns, $2 their types, $3 when they were last observed, $4 milliseconds: makes or locks the rows, in the order of the
 * urns. What was last posted before $4 is mapped again, so that it does not become stale.
 */
export const lockEntities = statement("dh-lock-entities")`
  INSERT INTO dh_entity AS e (key, type, last_seen, dirty)
  SELECT key, type, last_seen, 1
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (key, type, last_seen) ORDER BY key COLLATE "C"
  ON CONFLICT (key) DO UPDATE
     SET last_seen = greatest(e.last_seen, excluded.last_seen), updated_at = now(),
         dirty = e.dirty + CASE WHEN e.last_seen IS NULL OR e.posted_at < $4::bigint THEN 1 ELSE 0 END`;

/** An aspect as it is stored. */
export interface StoredAspect {
  urn: string;
  aspect: string;
  at: number | null;
  value: string | null;
  steps: string | null;
}

/** $1 urns, $2 aspects, by index. */
export const aspectsNamed = statement<StoredAspect>("dh-aspects-named")`
  SELECT a.urn, a.aspect, a.at, a.value, a.steps
    FROM unnest($1::text[], $2::text[]) AS n (urn, aspect) JOIN dh_aspect a USING (urn, aspect)`;

/** $1 urns: all of their aspects. */
export const aspectsOf = statement<StoredAspect>("dh-aspects-of")`
  SELECT urn, aspect, at, value, steps FROM dh_aspect WHERE urn = ANY($1::text[]) ORDER BY urn, aspect`;

/** $1 urns, $2 aspects, $3 when observed, $4 values, $5 steps, by index. */
export const writeAspects = statement("dh-write-aspects")`
  INSERT INTO dh_aspect (urn, aspect, at, value, steps)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
  ON CONFLICT (urn, aspect) DO UPDATE
     SET at = excluded.at, value = excluded.value, steps = excluded.steps`;

/** $1 urns, $2 aspects, $3 ids, $4 times, $5 values, by index: the urns of which there are new ones. */
export const addEntries = statement<{ urn: string }>("dh-add-entries")`
  INSERT INTO dh_entry (urn, aspect, id, time, value)
  SELECT DISTINCT ON (urn, aspect, id) *
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS n (urn, aspect, id, time, value)
  ON CONFLICT (urn, aspect, id) DO NOTHING RETURNING urn`;

/** $1 urns, $2 aspects, $3 how many entries of each are retained, by index. */
export const trimEntries = statement("dh-trim-entries")`
  DELETE FROM dh_entry e USING (
    SELECT o.urn, o.aspect, o.id
      FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::int[]) AS n (urn, aspect, retained)) n
     CROSS JOIN LATERAL (
       SELECT urn, aspect, id FROM dh_entry i WHERE i.urn = n.urn AND i.aspect = n.aspect
        ORDER BY time DESC, id OFFSET n.retained) o) old
   WHERE e.urn = old.urn AND e.aspect = old.aspect AND e.id = old.id`;

/** $1 urns, $2 aspects, $3 how many: the newest entries of each. */
export const newestEntries = statement<
  { urn: string; aspect: string; time: number; value: string }
>(
  "dh-newest-entries",
)`
  SELECT i.urn, i.aspect, i.time, i.value
    FROM unnest($1::text[]) AS u (urn) CROSS JOIN unnest($2::text[]) AS a (aspect)
   CROSS JOIN LATERAL (
     SELECT urn, aspect, time, value FROM dh_entry e WHERE e.urn = u.urn AND e.aspect = a.aspect
      ORDER BY time DESC, id LIMIT $3) i`;

/** $1 urns, $2 aspects, by index, whose references are replaced by those of $3 urns, $4 aspects, $5 named. */
export const dropReferences = statement("dh-drop-references")`
  DELETE FROM dh_reference r USING unnest($1::text[], $2::text[]) AS n (urn, aspect)
   WHERE r.urn = n.urn AND r.aspect = n.aspect`;
export const addReferences = statement("dh-add-references")`
  INSERT INTO dh_reference (urn, aspect, named)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`;

/** $1 urns, $2 aspects, by index: what these named. */
export const namedBy = statement<{ urn: string; aspect: string; named: string }>("dh-named-by")`
  SELECT DISTINCT r.urn, r.aspect, r.named FROM unnest($1::text[], $2::text[]) AS n (urn, aspect) JOIN dh_reference r USING (urn, aspect)`;

/** $1 urns of datasets, $2 what urns of models begin with: the models and the siblings that they name. */
export const counterparts = statement<{ named: string }>("dh-counterparts")`
  SELECT DISTINCT named FROM dh_reference
   WHERE urn = ANY($1::text[])
     AND (aspect = 'siblings' OR (aspect = 'upstreamLineage' AND starts_with(named, $2)))`;

/** $1 urns, $2 types: names of datasets that have no aspects yet, so that they are looked for again. */
export const addNames = statement("dh-add-names")`
  INSERT INTO dh_entity (key, type, dirty)
  SELECT key, type, 1 FROM unnest($1::text[], $2::text[]) AS n (key, type) ORDER BY key COLLATE "C"
  ON CONFLICT (key) DO NOTHING`;

/** $1 urns that are mapped again. */
export const dirtyEntities = statement("dh-dirty-entities")`
  WITH locked AS (
    SELECT key FROM dh_entity WHERE key = ANY($1::text[]) ORDER BY key FOR NO KEY UPDATE)
  UPDATE dh_entity SET dirty = dirty + 1 WHERE key IN (SELECT key FROM locked)`;

/** $1 urns: what names one of them is to be mapped again; see `followers.ts`. */
export const addFollowed = statement("dh-add-followed")`
  INSERT INTO dh_follower (named) SELECT DISTINCT named FROM unnest($1::text[]) AS n (named) ORDER BY 1
  ON CONFLICT (named) DO UPDATE SET after = '', since = now()`;

/** $1 urns, $2 now: all of their aspects that are not newer are deleted, and their entries. */
export const clearAspects = statement<{ urn: string; aspect: string }>("dh-clear-aspects")`
  UPDATE dh_aspect a SET at = n.at, value = NULL, steps = NULL
    FROM unnest($1::text[], $2::bigint[]) AS n (urn, at)
   WHERE a.urn = n.urn AND coalesce(a.at, 0) <= n.at RETURNING a.urn, a.aspect`;
export const clearEntries = statement("dh-clear-entries")`
  DELETE FROM dh_entry e USING unnest($1::text[], $2::bigint[]) AS n (urn, at)
   WHERE e.urn = n.urn AND e.time <= n.at`;

/** $1 urns that are no row yet. */
export const newEntities = statement<{ count: number }>("dh-new-entities")`
  SELECT count(*)::int AS count FROM unnest($1::text[]) AS n (key)
   WHERE NOT EXISTS (SELECT FROM dh_entity e WHERE e.key = n.key)`;

/** About how many entities are stored, and up to $1 of those that wait to be mapped. */
export const load = statement<{ entities: number; waiting: number }>("dh-load")`
  SELECT greatest(c.reltuples, 0)::bigint AS entities,
         (SELECT count(*)::int FROM (SELECT FROM dh_entity WHERE dirty > 0 LIMIT $1) w) AS waiting
    FROM pg_class c WHERE c.oid = 'dh_entity'::regclass`;

/** $1 type: whether an entity of it is stored. */
export const anyOfType = statement<{ any: boolean }>("dh-any-of-type")`
  SELECT EXISTS (SELECT FROM dh_entity WHERE type = $1 AND last_seen IS NOT NULL) AS any`;
