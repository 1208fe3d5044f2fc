import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import type { PendingRemoval } from "#platform/composed-source/queue.queries.ts";
import type { RemovalStore } from "#platform/composed-source/deps.ts";
import type { ComposedEntity } from "./compose.ts";
import type { Subject } from "./subjects.ts";

const addSource = statement("service-source")`
  INSERT INTO data_source (catrn, name, description)
  VALUES ($1, 'Traces', 'Services and their calls, as OpenTelemetry traces show them')
  ON CONFLICT (catrn) DO NOTHING`;

/** Makes sure of the data source under which services stand; one that is there stays as it is. */
export async function ensureSource(db: Queryable, catrn: string): Promise<void> {
  await db.query(addSource, [catrn]);
}

export type Change = Subject & { ids: number[] };

const changes = statement<Change>("service-changes")`
  SELECT kind, namespace, name, array_agg(id) AS ids
    FROM (SELECT * FROM service_change ORDER BY id LIMIT $1) c
   GROUP BY kind, namespace, name ORDER BY min(id)`;

/** The oldest changes of edges that nobody composed yet, by subject. */
export function readChanges(db: Queryable, limit: number): Promise<Change[]> {
  return db.query(changes, [limit]);
}

const notSetAside = `NOT EXISTS (
      SELECT FROM service_quarantine q
       WHERE q.name = e.name AND q.kind = e.kind AND q.namespace IS NOT DISTINCT FROM e.namespace)`;

const due = statement<Subject>("service-due")`
  SELECT DISTINCT kind, namespace, name FROM (
    (SELECT kind, namespace, name FROM service_entity e
      WHERE state = 'live' AND posted_at <= $1 AND ${notSetAside} ORDER BY posted_at LIMIT $2)
    UNION ALL
    (SELECT kind, namespace, name FROM service_entity e
      WHERE guessed_at <= $3 AND ${notSetAside} ORDER BY guessed_at LIMIT $2)
    UNION ALL
    (SELECT kind, namespace, name FROM service_entity e
      WHERE state = 'posting' AND ${notSetAside} LIMIT $2)) d`;

/**
 * Subjects with an entity that was posted at `posted` or earlier, or composed at `guessed` or earlier
 * without the catalogue holding its datasets, or whose posting was broken off; none that is set aside.
 */
export function dueSubjects(
  db: Queryable,
  { posted, guessed }: { posted: Date; guessed: Date },
  limit: number,
): Promise<Subject[]> {
  return db.query(due, [posted.toISOString(), limit, guessed.toISOString()]);
}

export interface StoredEntity {
  n: number;
  catrn: string;
  /** Hex; null when it is not known what the log has. */
  hash: string | null;
  state: "posting" | "live" | "leaving";
  posted_at: Date | null;
}

const storedStatement = statement<StoredEntity>("service-held")`
  SELECT s.n - 1 AS n, e.catrn, encode(e.hash, 'hex') AS hash, e.state, e.posted_at
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS s (kind, namespace, name, n)
    JOIN service_entity e ON e.name = s.name AND e.kind = s.kind
     AND e.namespace IS NOT DISTINCT FROM s.namespace`;

/** What was posted of each of these subjects. */
export function storedEntities(db: Queryable, subjects: Subject[]): Promise<StoredEntity[]> {
  return db.query(storedStatement, columnsOf(subjects, "kind", "namespace", "name"));
}

const nextReceivedAt = statement<{ received_at: number }>("service-received-at")`
  UPDATE service_publisher SET received_at = greatest(received_at + 1, $1::bigint)
     RETURNING received_at`;

/** A `received-at` that is greater than all that were drawn before; milliseconds, `now` or later. */
export async function drawReceivedAt(tx: Transaction, now: number): Promise<number> {
  const [row] = await tx.query(nextReceivedAt, [now]);
  return row!.received_at;
}

const posting = statement("service-posting")`
  INSERT INTO service_entity AS e (catrn, kind, namespace, name, received_at, state)
  SELECT p.catrn, p.kind, p.namespace, p.name, $5, 'posting'
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS p (catrn, kind, namespace, name)
  ON CONFLICT (catrn) DO UPDATE SET
    kind = excluded.kind, namespace = excluded.namespace, name = excluded.name, hash = NULL,
    received_at = excluded.received_at, state = 'posting'`;

/** From here on nobody knows which content of these the log has, until `markLive`. */
export async function markPosting(
  tx: Transaction,
  entities: ComposedEntity[],
  receivedAt: number,
): Promise<void> {
  const subjects = entities.map(({ catrn, subject }) => ({ catrn, ...subject }));
  const columns = columnsOf(subjects, "catrn", "kind", "namespace", "name");
  await tx.query(posting, [...columns, receivedAt]);
}

const live = statement("service-live")`
  UPDATE service_entity e SET hash = decode(p.hash, 'hex'), posted_at = $3, state = 'live'
    FROM unnest($1::text[], $2::text[]) AS p (catrn, hash)
   WHERE e.catrn = p.catrn AND e.received_at = $4`;

/** The log has these, under this `received-at`. */
export async function markLive(
  tx: Transaction,
  entities: ComposedEntity[],
  posted: { at: Date; receivedAt: number },
): Promise<void> {
  const columns = columnsOf(entities, "catrn", "hash");
  await tx.query(live, [...columns, posted.at.toISOString(), posted.receivedAt]);
}

const guesses = statement("service-guesses")`
  UPDATE service_entity e SET guessed_at = CASE WHEN p.guessed THEN $3::timestamptz END
    FROM unnest($1::text[], $2::boolean[]) AS p (catrn, guessed)
   WHERE e.catrn = p.catrn AND (p.guessed OR e.guessed_at IS NOT NULL)`;

/** Remembers which services have to be looked at again, since their datasets may be catalogued. */
export async function markGuesses(
  tx: Transaction,
  entities: ComposedEntity[],
  at: Date,
): Promise<void> {
  const services = entities.filter((e) => e.guessed !== undefined);
  await tx.query(guesses, [...columnsOf(services, "catrn", "guessed"), at.toISOString()]);
}

const markRemovedStatement = statement("service-leaving")`
  UPDATE service_entity SET state = 'leaving', hash = NULL, guessed_at = NULL
      WHERE catrn = ANY($1::text[])`;

/** These have no edge left. */
export async function markForRemoval(tx: Transaction, catrns: string[]): Promise<void> {
  await tx.query(markRemovedStatement, [catrns]);
}

const changesDone = statement("service-changes-done")`
  DELETE FROM service_change WHERE id = ANY($1::bigint[])`;

export async function deleteChanges(tx: Transaction, ids: number[]): Promise<void> {
  await tx.query(changesDone, [ids]);
}

const pendingRemovals = statement<PendingRemoval>("service-leavers")`
  SELECT s.catrn, s.received_at, e.id, NULL::bigint AS successor, false AS guarded
    FROM service_entity s
    LEFT JOIN data_entity e ON e.catrn = s.catrn AND NOT e.hollow AND is_live(e.status)
     AND e.data_source_id = (SELECT id FROM data_source WHERE catrn = $1)
   WHERE s.state = 'leaving'
     AND ((extract(epoch FROM e.received_at) * 1000)::bigint >= s.received_at
          OR s.received_at < $2)
   ORDER BY s.received_at LIMIT $3`;

const forgotten = statement("service-forget")`
  WITH gone AS (
    DELETE FROM service_entity WHERE catrn = ANY($1::text[]) RETURNING kind, namespace, name)
  DELETE FROM service_version v USING gone g
   WHERE g.kind = 'service' AND v.name = g.name AND v.namespace = coalesce(g.namespace, '')
     AND NOT EXISTS (
       SELECT FROM service_edge e WHERE e.service_name = g.name
          AND e.service_namespace IS NOT DISTINCT FROM g.namespace)
     AND NOT EXISTS (
       SELECT FROM service_edge e WHERE e.peer_name = g.name AND e.peer_kind = 'service'
          AND e.peer_namespace IS NOT DISTINCT FROM g.namespace)`;

/** Entities without edges leave; with them the versions of services without edges. */
export function serviceRemovals(source: string): RemovalStore {
  return {
    pending: (tx, before, limit) => tx.query(pendingRemovals, [source, before, limit]),
    async forget(tx, removals) {
      await tx.query(forgotten, [removals.map(({ catrn }) => catrn)]);
    },
  };
}
