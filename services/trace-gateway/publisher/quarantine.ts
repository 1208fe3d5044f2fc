import { messageOf } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import type { PublisherDeps } from "./deps.ts";
import type { Subject } from "./subjects.ts";
import { deleteChanges } from "./store.queries.ts";

/** Maximum number of subjects that are remembered as set aside; beyond it the one tried longest ago is forgotten. */
export const maxQuarantined = 10_000;

/** Characters of a cause that are stored. */
const maxCause = 500;

/** Sets aside a subject that cannot be composed or posted, and what had it composed. */
export async function quarantine(
  deps: PublisherDeps,
  { subject, changes }: { subject: Subject; changes: number[] },
  error: unknown,
): Promise<void> {
  const { db, clock, log, metrics } = deps;
  const cause = bounded(messageOf(error), maxCause) || "unknown";
  const at = new Date(clock.now());
  await db.transaction(async (tx) => {
    const { kind, namespace, name } = subject;
    await tx.query(put, [kind, namespace, name, cause, at.toISOString()]);
    await tx.query(shorten, [maxQuarantined]);
    await deleteChanges(tx, changes);
  });
  metrics.quarantines.inc();
  await reportQuarantined(deps);
  log.error("service cannot be composed and is quarantined", { ...subject, error });
}

export async function reportQuarantined({ db, metrics }: PublisherDeps): Promise<void> {
  const [row] = await db.query(counted);
  metrics.quarantined.set({}, row!.count);
}

type QuarantinedSubject = Subject & {
  cause: string;
  attempts: number;
  since: Date;
  tried_at: Date;
};

const put = statement("service-quarantine")`
  INSERT INTO service_quarantine AS q (kind, namespace, name, cause, since, tried_at)
  VALUES ($1, $2, $3, $4, $5, $5)
  ON CONFLICT (name, coalesce(namespace, ''), (namespace IS NULL), kind) DO UPDATE
    SET cause = excluded.cause, attempts = q.attempts + 1, tried_at = excluded.tried_at`;

const shorten = statement("service-quarantine-shorten")`
  DELETE FROM service_quarantine WHERE ctid IN (
    SELECT ctid FROM service_quarantine ORDER BY tried_at DESC OFFSET $1)`;

const takeBack = statement("service-quarantine-over")`
  DELETE FROM service_quarantine q
   USING unnest($1::text[], $2::text[], $3::text[]) AS s (kind, namespace, name)
   WHERE q.name = s.name AND q.kind = s.kind AND q.namespace IS NOT DISTINCT FROM s.namespace`;

/** These can be composed. */
export async function takeBackAll(tx: Transaction, subjects: Subject[]): Promise<void> {
  await tx.query(takeBack, columnsOf(subjects, "kind", "namespace", "name"));
}

const counted = statement<{ count: number }>("service-quarantine-count")`
  SELECT count(*) AS count FROM service_quarantine`;

const latest = statement<QuarantinedSubject>("service-quarantine-list")`
  SELECT kind, namespace, name, cause, attempts, since, tried_at FROM service_quarantine
   ORDER BY tried_at DESC, name, namespace, kind LIMIT $1`;

/** Those that were tried last; the latest first. */
export function listQuarantined(db: Queryable, limit: number): Promise<QuarantinedSubject[]> {
  return db.query(latest, [limit]);
}

const release = statement("service-quarantine-release")`
  WITH released AS (
    DELETE FROM service_quarantine WHERE $1::text IS NULL OR name = $1
    RETURNING kind, namespace, name)
  INSERT INTO service_change (kind, namespace, name) SELECT * FROM released
  RETURNING pg_notify('service_edge', '')`;

/** Has all of that name composed again, whatever their namespace; null: all there are. How many. */
export async function releaseQuarantined(db: Queryable, name: string | null): Promise<number> {
  return (await db.query(release, [name])).length;
}
