import type { RunKind } from "#contract/connections/connection.ts";
import type { ConnectorName } from "#contract/connections/connectors.ts";
import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { StoredSecret } from "#platform/connections/secrets.ts";
import { listOfFound } from "#services/api/list-json.ts";

const list = statement<JsonRow>("connection-list")`
  WITH found AS (SELECT c, c.name FROM connection c WHERE c.name ILIKE $1)
  ${listOfFound({ each: "json_connection(c)", by: "name", window: ["$2", "$3"] })}`;

/** ConnectionList as JSON text, by name; `pattern` is for ILIKE. */
export async function connectionList(db: Queryable, pattern: string, page: PageWindow) {
  return (await db.query(list, [pattern, page.limit, page.offset]))[0]!.json;
}

const one = statement<JsonRow>("connection-json")`
  SELECT json_connection(c)::text AS json FROM connection c WHERE id = $1`;

/** Connection as JSON text; undefined when there is none. */
export async function connectionJson(db: Queryable, id: number): Promise<string | undefined> {
  return (await db.query(one, [id]))[0]?.json;
}

export interface ConnectionRow {
  name: string;
  connector: ConnectorName;
  settings: Record<string, unknown>;
  secrets: Record<string, StoredSecret>;
  source_catrn: string;
  schedule_minutes: number | null;
  paused: boolean;
}

const lock = statement<ConnectionRow>("connection-lock")`
  SELECT name, connector, settings, secrets, source_catrn, schedule_minutes, paused
    FROM connection WHERE id = $1 FOR NO KEY UPDATE`;

export async function lockConnection(
  db: Queryable,
  id: number,
): Promise<ConnectionRow | undefined> {
  return (await db.query(lock, [id]))[0];
}

const insert = statement<{ id: number }>("connection-insert")`
  INSERT INTO connection (name, connector, settings, secrets, source_catrn, schedule_minutes, paused, next_run_at)
  VALUES ($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7, $8) RETURNING id`;

const valuesOf = (row: ConnectionRow, nextRunAt: Date | null) => [
  row.name,
  row.connector,
  JSON.stringify(row.settings),
  JSON.stringify(row.secrets),
  row.source_catrn,
  row.schedule_minutes,
  row.paused,
  nextRunAt,
];

export async function insertConnection(tx: Transaction, row: ConnectionRow, next: Date | null) {
  return (await tx.query(insert, valuesOf(row, next)))[0]!.id;
}

const update = statement("connection-update")`
  UPDATE connection SET name = $2, connector = $3, settings = $4::jsonb, secrets = $5::jsonb,
         source_catrn = $6, schedule_minutes = $7, paused = $8, next_run_at = $9, updated_at = now()
   WHERE id = $1`;

export async function updateConnection(
  tx: Transaction,
  id: number,
  row: ConnectionRow,
  next: Date | null,
): Promise<void> {
  await tx.query(update, [id, ...valuesOf(row, next)]);
}

const remove = statement("connection-delete")`DELETE FROM connection WHERE id = $1`;

export async function deleteConnection(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}

const source = statement<{ occupied: boolean }>("connection-source")`
  WITH made AS (
    INSERT INTO data_source (catrn, name, description) VALUES ($1, $2, 'Read by a connection')
    ON CONFLICT (catrn) DO NOTHING RETURNING id)
  SELECT EXISTS (SELECT FROM data_source
                  WHERE catrn = $1 AND (token_id IS NOT NULL OR collector_id IS NOT NULL)) AS occupied`;

/** Registers the data source unless it is there; whether a token or a collector may write it. */
export async function ensureSource(tx: Transaction, catrn: string, name: string): Promise<boolean> {
  return (await tx.query(source, [catrn, name]))[0]!.occupied;
}

const request = statement<{ id: number }>("connection-run-request")`
  WITH made AS (
    INSERT INTO connection_run (connection_id, kind, requested_by) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING id),
  notified AS (SELECT pg_notify('connection_run', ''))
  SELECT id FROM made, notified
  UNION SELECT r.id FROM connection_run r
         WHERE r.connection_id = $1 AND r.kind = $2 AND r.state = 'QUEUED' LIMIT 1`;

/** Queues a run, unless one of its kind waits already; its id. */
export async function requestRun(tx: Transaction, id: number, kind: RunKind, by: string | null) {
  return (await tx.query(request, [id, kind, by]))[0]!.id;
}

const run = statement<JsonRow>("connection-run-json")`
  SELECT json_connection_run(r)::text AS json FROM connection_run r WHERE id = $1`;

export async function runJson(db: Queryable, id: number): Promise<string | undefined> {
  return (await db.query(run, [id]))[0]?.json;
}

const runs = statement<JsonRow>("connection-run-list")`
  WITH found AS (SELECT r, r.id FROM connection_run r WHERE r.connection_id = $1)
  ${listOfFound({ each: "json_connection_run(r)", by: "id DESC", window: ["$2", "$3"] })}`;

/** ConnectionRunList as JSON text, newest first. */
export async function runList(db: Queryable, id: number, page: PageWindow): Promise<string> {
  return (await db.query(runs, [id, page.limit, page.offset]))[0]!.json;
}

const cancel = statement<{ name: string }>("connection-run-cancel")`
  WITH ended AS (
    UPDATE connection_run r SET cancel = true,
           state = CASE r.state WHEN 'QUEUED' THEN 'CANCELLED' ELSE r.state END,
           finished_at = CASE r.state WHEN 'QUEUED' THEN now() END
     WHERE r.id = $1 AND r.state IN ('QUEUED', 'RUNNING') RETURNING r.id)
  SELECT c.name FROM connection_run r JOIN connection c ON c.id = r.connection_id WHERE r.id = $1`;

/** Asks a run to end: one that waits at once, one at work within about a second. The name of its connection. */
export async function cancelRun(tx: Transaction, id: number): Promise<string | undefined> {
  return (await tx.query(cancel, [id]))[0]?.name;
}
