import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** Maximum number of intake warnings retained, the most recently repeated ones. */
export const maxIntakeWarnings = 1_000;

/** An intake warning as it is written, with its recent count. */
export interface IntakeWarningRow {
  namespace: string;
  name: string;
  kind: string;
  reason: string;
  count: number;
}

// Ordered, so that two writers never wait for each other in a circle.
const note = statement("note-openlineage-complaints")`
  INSERT INTO openlineage_complaint AS held
         (id, namespace, name, kind, reason, count, first_at, last_at)
  SELECT md5(concat_ws(E'\\x1f', c.namespace, c.name, c.kind, c.reason))::uuid AS id,
         c.namespace, c.name, c.kind, c.reason, sum(c.count)::bigint, $6, $6
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      AS c (namespace, name, kind, reason, count)
   GROUP BY c.namespace, c.name, c.kind, c.reason
   ORDER BY 1
  ON CONFLICT (id) DO UPDATE
     SET count = held.count + excluded.count, last_at = greatest(held.last_at, excluded.last_at)`;

const trim = statement("trim-openlineage-complaints")`
  DELETE FROM openlineage_complaint WHERE id IN (
    SELECT id FROM openlineage_complaint WHERE id IN (
      SELECT id FROM openlineage_complaint ORDER BY last_at DESC, id OFFSET ${maxIntakeWarnings})
     ORDER BY id FOR UPDATE SKIP LOCKED)`;

/** Adds to the counts of these intake warnings, as of `now` (milliseconds since the epoch), and forgets the oldest beyond the limit. */
export async function recordIntakeWarnings(
  tx: Queryable,
  rows: IntakeWarningRow[],
  now: number,
): Promise<void> {
  await tx.query(note, [
    rows.map((row) => row.namespace),
    rows.map((row) => row.name),
    rows.map((row) => row.kind),
    rows.map((row) => row.reason),
    rows.map((row) => row.count),
    new Date(now),
  ]);
  await tx.query(trim);
}

const list = statement<JsonRow>("list-openlineage-complaints")`
  SELECT json_build_object('items', coalesce(json_agg(json_build_object(
           'at', iso(c.last_at), 'namespace', c.namespace, 'name', c.name, 'kind', c.kind,
           'reason', c.reason, 'count', c.count) ORDER BY c.last_at DESC, c.id), '[]'))::text AS json
    FROM (SELECT * FROM openlineage_complaint
           WHERE $1::text IS NULL OR namespace = $1
           ORDER BY last_at DESC, id LIMIT $2) c`;

/** `{items}`, newest first, of one namespace or of all, as JSON text. */
export async function listIntakeWarnings(
  db: Queryable,
  namespace: string | undefined,
  limit: number,
): Promise<string> {
  return (await db.query(list, [namespace ?? null, limit]))[0]!.json;
}
