import { type AlertStatus, alertStatusCode, type AlertType, alertTypes } from "#contract/alerts.ts";
import type { PageWindow } from "#contract/http.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, plannedEachTime } from "#metadata/postgres/statement.ts";
import { shownCharacters } from "#services/api/mcp/limits.ts";
import { nameOf, start, typeOf } from "#services/api/mcp/sql.ts";

export interface AlertQuestion {
  status: AlertStatus;
  type?: AlertType;
  /** Entities of the alerts; null: any, or none. */
  entities: number[] | null;
}

export interface AlertItem {
  id: number;
  type: string;
  status: string;
  entity: { id: number; catrn: string; name: string; type: string | null } | null;
  data_source: string | null;
  opened_at: string;
  last_raised_at: string;
  messages: string[];
  messages_total: number;
}

export interface AlertPage {
  total: number;
  items: AlertItem[];
}

/** Messages of an alert that are shown. */
export const maxMessages = 3;

const shown = `
  a.status = $1::smallint AND ($2::smallint IS NULL OR a.type = $2)
  AND ($3::bigint[] IS NULL OR a.entity_id = ANY ($3::bigint[]))
  AND (a.entity_id IS NULL OR is_live(e.status))`;
const from = "alert a LEFT JOIN data_entity e ON e.id = a.entity_id";
const messages = `
  (SELECT coalesce(json_agg(${
  start("c.description")
} ORDER BY c.created_at DESC, c.id DESC), '[]') FROM (
    SELECT * FROM alert_chunk WHERE alert_id = a.id ORDER BY created_at DESC, id DESC
     LIMIT ${maxMessages}) c)`;

// It is planned for its values each time, so that conditions which are absent cost nothing.
const page = plannedEachTime<JsonRow>("mcp-alerts")`
  SELECT json_build_object(
    'total', (SELECT count(*) FROM ${from} WHERE ${shown}),
    'items', (SELECT coalesce(json_agg(json_build_object(
        'id', a.id, 'type', alert_type_name(a.type), 'status', alert_status_name(a.status),
        'entity', CASE WHEN e.id IS NOT NULL THEN json_build_object(
          'id', e.id, 'catrn', e.catrn, 'name', ${nameOf("e")}, 'type', ${typeOf("e")}) END,
        'data_source', ${start("s.name", shownCharacters.name)},
        'opened_at', iso(a.created_at), 'last_raised_at', iso(a.last_created_at),
        'messages', ${messages},
        'messages_total', (SELECT count(*) FROM alert_chunk c WHERE c.alert_id = a.id))
        ORDER BY a.last_created_at DESC, a.id DESC), '[]')
      FROM (SELECT a.* FROM ${from} WHERE ${shown}
             ORDER BY a.last_created_at DESC, a.id DESC LIMIT $4 OFFSET $5) a
      LEFT JOIN data_entity e ON e.id = a.entity_id
      LEFT JOIN data_source s ON s.id = coalesce(a.data_source_id, e.data_source_id)))::text AS json`;

/** One page of the alerts that lists show, the last raised first. */
export async function alertsPage(
  db: Queryable,
  { status, type, entities }: AlertQuestion,
  { limit, offset }: PageWindow,
): Promise<AlertPage> {
  const code = type === undefined ? null : alertTypes.indexOf(type) + 1;
  const values = [alertStatusCode(status), code, entities, limit, offset];
  const [row] = await db.query(page, values);
  return JSON.parse(row!.json);
}
