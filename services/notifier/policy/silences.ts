import { type AlertEventRecord, alertTypeCode } from "#contract/alerts.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type { Decision } from "./decision.ts";

/** $1 events, $2 their entities, $3 their types, side by side: the longest silence that each meets. */
const silences = `
  SELECT g.event_id, s.id, s.until, s.created_by, s.comment
    FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS g (event_id, entity_id, alert_type)
   CROSS JOIN LATERAL silence_of(g.entity_id, g.alert_type) s`;

interface SilenceRow extends Record<string, unknown> {
  event_id: number;
  id: number;
  until: Date;
  created_by: string | null;
  comment: string | null;
}

/** The silences that changes meet now, by the change's id. All conditions of a silence must hold. */
export async function silenced(
  db: Queryable,
  events: AlertEventRecord[],
): Promise<Map<number, Decision>> {
  const rows = await db.query<SilenceRow>(silences, [
    events.map((event) => event.id),
    events.map((event) => event.entity_id),
    events.map((event) => alertTypeCode(event.alert_type)),
  ]);
  return new Map(rows.map((row) => [row.event_id, { state: "suppressed", cause: causeOf(row) }]));
}

function causeOf({ id, until, created_by, comment }: SilenceRow): string {
  const by = created_by ? ` by ${created_by}` : "";
  return `silence ${id}${by} until ${until.toISOString()}${comment ? `: ${comment}` : ""}`;
}
