import { alertTypeCode } from "#contract/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { OpenAlert } from "./plan.ts";

const lock = statement("alert-turn")`SELECT pg_advisory_xact_lock(hashtext('alert_router'))`;

/**
 * Serialises calls that deduplicate: of two concurrent ones, neither would see what the other
 * creates.
 */
export async function takeTurn(tx: Transaction): Promise<void> {
  await tx.query(lock);
}

const open = statement<OpenAlert>("alert-open")`
  SELECT id, entity_id AS "entityId", fingerprint,
         iso(coalesce(starts_at, created_at)) AS "startsAt"
    FROM alert
   WHERE status = 1 AND type = ${alertTypeCode("DISTRIBUTION_ANOMALY")}
     AND fingerprint = ANY($1::text[])
   ORDER BY id FOR NO KEY UPDATE`;

/** Locks the open alerts with these fingerprints, in order of creation. */
export function lockOpen(tx: Transaction, fingerprints: string[]): Promise<OpenAlert[]> {
  return tx.query(open, [fingerprints]);
}

const starts = statement<{ fingerprint: string; newest: string | null; ended: string | null }>(
  "alert-starts",
)`
  SELECT f.fingerprint, iso(e.starts_at) AS ended,
         iso((SELECT max(coalesce(a.starts_at, a.created_at)) FROM alert a
               WHERE a.fingerprint = f.fingerprint)) AS newest
    FROM unnest($1::text[]) AS f (fingerprint)
    LEFT JOIN routed_alert_end e ON e.fingerprint = f.fingerprint`;

/** For each fingerprint the newest start of its alerts, and that of an end without an alert. */
export async function startsOf(tx: Transaction, fingerprints: string[]) {
  const rows = await tx.query(starts, [fingerprints]);
  const by = (key: "newest" | "ended") =>
    new Map(rows.flatMap((row) => row[key] === null ? [] : [[row.fingerprint, row[key]]] as const));
  return { newest: by("newest"), ended: by("ended") };
}

const said = statement<{ place: number }>("alert-said")`
  SELECT t.place FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS t (id, text, place)
   WHERE EXISTS (SELECT FROM alert_chunk c WHERE c.alert_id = t.id AND c.description = t.text)`;

/** Which of these texts their alerts say already: positions from 1. */
export async function saidAlready(tx: Transaction, texts: { id: number; text: string }[]) {
  if (texts.length === 0) return [];
  const rows = await tx.query(said, [texts.map((t) => t.id), texts.map((t) => t.text)]);
  return rows.map(({ place }) => place);
}

const keepEnds = statement("alert-keep-ends")`
  INSERT INTO routed_alert_end AS e (fingerprint, starts_at)
  SELECT * FROM unnest($1::text[], $2::timestamptz[]) ORDER BY 1
      ON CONFLICT (fingerprint) DO UPDATE SET recorded_at = now(),
         starts_at = greatest(e.starts_at, excluded.starts_at)`;

/** Remembers ends of alerts that are not known: start by fingerprint. */
export async function rememberEnds(tx: Transaction, ends: Map<string, string>): Promise<void> {
  if (ends.size > 0) await tx.query(keepEnds, [[...ends.keys()], [...ends.values()]]);
}

const quiet = statement<{ catrn: string }>("alert-quiet")`
  SELECT e.catrn FROM data_entity e LEFT JOIN alert_halt_config h ON h.entity_id = e.id
   WHERE e.catrn = ANY($1::text[])
     AND (NOT is_live(e.status) OR h.distribution_anomaly_halt_until > $2::timestamptz)`;

/** Entities on which nothing is raised at a time: deleted ones, and those whose anomalies are halted. */
export async function quietEntities(tx: Transaction, catrns: string[], at: string) {
  if (catrns.length === 0) return new Set<string>();
  return new Set((await tx.query(quiet, [catrns, at])).map(({ catrn }) => catrn));
}

// Locks the rows, so that no entity is purged while an alert is being attached to it.
const entities = statement<{ id: number; catrn: string }>("alert-entities")`
  SELECT id, catrn FROM data_entity WHERE catrn = ANY($1::text[]) ORDER BY id FOR KEY SHARE`;

/** Ids by CATRN. */
export async function entityIds(tx: Transaction, catrns: string[]): Promise<Map<string, number>> {
  const rows = await tx.query(entities, [catrns]);
  return new Map(rows.map(({ id, catrn }) => [catrn, id]));
}
