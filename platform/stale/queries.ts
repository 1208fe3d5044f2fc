import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A data source that a policy names. */
export interface NamedSource {
  id: number;
  catrn: string;
  name: string;
  /** Place of its policy, from 0. */
  policy: number;
}

const named = statement<NamedSource>("stale-sources")`
  SELECT s.id, s.catrn, s.name, min(p.n)::integer - 1 AS policy
    FROM unnest($1::text[]) WITH ORDINALITY AS p(prefix, n)
    JOIN data_source s ON s.catrn = p.prefix OR starts_with(s.catrn, rtrim(p.prefix, '/') || '/')
   WHERE $2::bigint IS NULL OR s.id = $2
   GROUP BY s.id ORDER BY s.id`;

/** Data sources of these CATRNs and below them, each with the first that fits; of one alone where its id is given. */
export function namedSources(
  db: Queryable,
  prefixes: string[],
  only: number | null = null,
): Promise<NamedSource[]> {
  return db.query(named, [prefixes, only]);
}

/** The period of a policy: from `cutoff` over its `middle` to `now`, RFC 3339. */
export interface Period {
  cutoff: string;
  middle: string;
  now: string;
}

/** What there is of a source. */
export interface Survey {
  live: number;
  stale: number;
  /** Whether the source was seen in the earlier and in the later half of the period. */
  early: boolean;
  late: boolean;
  /** The newest sight of it, RFC 3339. */
  seen: string | null;
}

// $2 cutoff, $5 only those that declared edges.
const isStale = `e.last_ingested_at < $2
     AND (NOT $5::boolean OR EXISTS (SELECT FROM lineage_edge l WHERE l.establisher_id = e.id))`;

const survey = statement<Survey>("stale-survey")`
  WITH sights AS (
    SELECT last_ingested_at AS at FROM data_entity WHERE data_source_id = $1
    UNION ALL SELECT seen_at FROM data_source_seen WHERE data_source_id = $1
  ), seen AS (
    SELECT coalesce(bool_or(at >= $2 AND at < $3), false) AS early,
           coalesce(bool_or(at >= $3 AND at <= $4), false) AS late,
           iso(max(at) FILTER (WHERE at <= $4)) AS seen
      FROM sights
  )
  SELECT count(*) AS live, count(*) FILTER (WHERE ${isStale}) AS stale,
         (SELECT early FROM seen), (SELECT late FROM seen), (SELECT seen FROM seen)
    FROM data_entity e
   WHERE e.data_source_id = $1 AND NOT e.hollow AND is_live(e.status)`;

export async function surveyOf(
  db: Queryable,
  source: number,
  { cutoff, middle, now }: Period,
  edges: boolean,
): Promise<Survey> {
  const [found] = await db.query(survey, [source, cutoff, middle, now, edges]);
  return found!;
}

const remember = statement("stale-remember-seen")`
  INSERT INTO data_source_seen (data_source_id, seen_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
const forget = statement("stale-forget-seen")`
  DELETE FROM data_source_seen WHERE data_source_id = $1 AND seen_at < $2`;

/** Keeps when a source was seen, and forgets what is older than its period. */
export async function rememberSeen(
  db: Queryable,
  source: number,
  seen: string | null,
  cutoff: string,
): Promise<void> {
  await db.query(forget, [source, cutoff]);
  if (seen !== null && seen >= cutoff) await db.query(remember, [source, seen]);
}

const lockSourceStatement = statement("stale-hold-source")`
  SELECT id FROM data_source WHERE id = $1 FOR NO KEY UPDATE`;

/** Locks a source against another sweep of it; batches, which only refer to it, do not wait. False when it is gone. */
export async function lockSource(tx: Transaction, source: number): Promise<boolean> {
  return (await tx.query(lockSourceStatement, [source])).length > 0;
}

// The parameters of `isStale`, those that it has not named twice for their types.
const candidates = statement<Candidate>("stale-candidates")`
  SELECT e.id, e.catrn, e.external_name AS name, iso(e.last_ingested_at) AS seen
    FROM data_entity e
   WHERE e.data_source_id = $1 AND NOT e.hollow AND is_live(e.status) AND ${isStale}
     AND ($4::bigint[] IS NULL OR e.id = ANY($4::bigint[]))
   ORDER BY e.id LIMIT $3`;

export interface Candidate {
  id: number;
  catrn: string;
  name: string | null;
  /** When it was seen last, RFC 3339. */
  seen: string;
}

/** What is stale of a source, in order of ids; of `among` when given. */
export function candidatesOf(
  db: Queryable,
  source: number,
  cutoff: string,
  { edges, max, among = null }: { edges: boolean; max: number; among?: number[] | null },
): Promise<Candidate[]> {
  return db.query(candidates, [source, cutoff, max, among, edges]);
}

// Without the hash, the next batch rewrites the entity, with its edges.
const endEdges = statement<{ ids: number[] | null }>("stale-end-edges")`
  WITH gone AS (
    DELETE FROM lineage_edge WHERE establisher_id = ANY($1::bigint[])
    RETURNING establisher_id, parent_id, child_id, since),
  remembered AS (
    INSERT INTO lineage_edge_history (establisher_id, parent_id, child_id, since, until)
    SELECT establisher_id, parent_id, child_id, since, greatest(since, statement_timestamp()) FROM gone),
  forgotten AS (
    UPDATE data_entity SET content_hash = NULL WHERE id = ANY($1::bigint[]))
  SELECT array_agg(DISTINCT id) AS ids
    FROM (SELECT establisher_id AS id FROM gone UNION SELECT parent_id FROM gone
          UNION SELECT child_id FROM gone) touched`;

/** Ends the edges that these entities declared; returns the entities whose edges changed. */
export async function endEdgesOf(tx: Transaction, ids: number[]): Promise<number[]> {
  const [found] = await tx.query(endEdges, [ids]);
  return found!.ids ?? [];
}

const states = statement<{
  id: number;
  catrn: string;
  entity_classes: string[];
  type: string | null;
  external_name: string | null;
}>("stale-entity-states")`
  SELECT e.id, e.catrn, e.external_name, t.name AS type,
         ARRAY(SELECT c.name FROM entity_class c WHERE c.id = ANY(e.class_ids) ORDER BY c.id)
           AS entity_classes
    FROM data_entity e LEFT JOIN entity_type t ON t.id = e.type_id
   WHERE e.id = ANY($1::bigint[]) ORDER BY e.id`;

export function statesOf(tx: Transaction, ids: number[]) {
  return tx.query(states, [ids]);
}
