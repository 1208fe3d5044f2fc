import type { Actor } from "#contract/actor.ts";
import type {
  ConnectionForm,
  ConnectionUpdateForm,
  RunKind,
} from "#contract/connections/connection.ts";
import {
  type ConnectorName,
  connectorNames,
  type ConnectorSettings,
  connectorTitles,
  settingsSchema,
} from "#contract/connections/connectors.ts";
import { type ListQuery, type PageQuery, pageWindow } from "#contract/http.ts";
import { conflict, requireFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import type { StoredSecret } from "#platform/connections/secrets.ts";
import type { Context } from "#platform/context.ts";
import { foundJson, listOfFound, pageByName } from "#services/api/list-json.ts";
import { mergedSecrets, splitSettings } from "./settings.ts";

type Deps = Pick<Context, "db" | "log" | "config" | "clock">;

/** Connectors with the schemas of their settings, and whether secrets can be stored. */
export function listConnectors({ config }: Deps) {
  const items = connectorNames.map((name) => ({
    name,
    title: connectorTitles[name],
    settings_schema: settingsSchema(name),
  }));
  return { items, stores_secrets: config.connections["secret-key"] !== undefined };
}

const list = statement<JsonRow>("connection-list")`
  WITH found AS (SELECT c, c.name FROM connection c WHERE c.name ILIKE $1)
  ${listOfFound({ each: "json_connection(c)", by: "name", window: ["$2", "$3"] })}`;

/** ConnectionList as JSON text, by name. */
export function listConnections({ db }: Deps, query: ListQuery): Promise<string> {
  return pageByName(db, list, query);
}

/** Creates a connection and its data source; Connection as JSON text. Throws 400. */
export function createConnection(deps: Deps, actor: Actor, form: ConnectionForm): Promise<string> {
  const { settings, secrets } = splitSettings(deps.config, form.connector, form.settings);
  const source_catrn = sourceCatrn(form.connector, settings);
  const given = [...secrets].flatMap(([name, secret]) => secret ? [[name, secret] as const] : []);
  return changing(deps, actor, async (change) => {
    const { tx } = change;
    await requireSource(tx, source_catrn, form.name);
    const row = { ...form, settings, secrets: Object.fromEntries(given), source_catrn };
    const [made] = await tx.query(insert, valuesOf(row, nextRun(deps, form)));
    change.audit("CONNECTION_CREATED", inWords(made!.id, form.name));
    return await connectionJson(tx, made!.id);
  }, { unique: () => taken(form.name, source_catrn) });
}

/** Changes a connection; Connection as JSON text. Throws 404 and 400. */
export function updateConnection(
  deps: Deps,
  actor: Actor,
  id: number,
  form: ConnectionUpdateForm,
): Promise<string> {
  return changing(deps, actor, async (change) => {
    const { tx } = change;
    const before = await lockConnection(tx, id);
    const split = splitSettings(deps.config, before.connector, form.settings);
    const settings = before.settings as ConnectorSettings;
    const secrets = mergedSecrets(before.connector, { settings, secrets: before.secrets }, split);
    const source_catrn = sourceCatrn(before.connector, split.settings);
    if (source_catrn !== before.source_catrn) throw otherSource(before.source_catrn);
    const { connector } = before;
    const row = { ...form, connector, settings: split.settings, secrets, source_catrn };
    await tx.query(update, [id, ...valuesOf(row, nextRun(deps, form))]);
    change.audit("CONNECTION_CHANGED", inWords(id, form.name));
    return await connectionJson(tx, id);
  }, { unique: () => taken(form.name, "") });
}

/** Deletes a connection with its history; what it has read stays. Throws 404. */
export async function deleteConnection(deps: Deps, actor: Actor, id: number): Promise<void> {
  await changing(deps, actor, async (change) => {
    const { name } = await lockConnection(change.tx, id);
    await change.tx.query(remove, [id]);
    change.audit("CONNECTION_DELETED", inWords(id, name));
  });
}

/** Queues a run, a test or a preview; ConnectionRun as JSON text. Throws 404. */
export function requestRun(deps: Deps, actor: Actor, id: number, kind: RunKind): Promise<string> {
  return changing(deps, actor, async (change) => {
    const { name } = await lockConnection(change.tx, id);
    const [run] = await change.tx.query(queueRun, [id, kind, actor.name]);
    change.audit("CONNECTION_RUN", `${kind} of ${inWords(id, name)}`);
    return await runJson(change.tx, run!.id);
  });
}

const runs = statement<JsonRow>("connection-run-list")`
  WITH found AS (SELECT r, r.id FROM connection_run r WHERE r.connection_id = $1)
  ${listOfFound({ each: "json_connection_run(r)", by: "id DESC", window: ["$2", "$3"] })}`;

/** ConnectionRunList as JSON text, newest first. Throws 404. */
export async function listRuns(deps: Deps, id: number, page: PageQuery): Promise<string> {
  await connectionJson(deps.db, id);
  const { limit, offset } = pageWindow(page);
  return (await deps.db.query(runs, [id, limit, offset]))[0]!.json;
}

/** Asks a run to end; ConnectionRun as JSON text. Throws 404. */
export function cancelRun(deps: Deps, actor: Actor, id: number): Promise<string> {
  return changing(deps, actor, async (change) => {
    const run = requireFound(await change.tx.query(cancel, [id]), "Run", id);
    change.audit("CONNECTION_RUN_CANCELLED", `run ${id} of ${run.name}`);
    return await runJson(change.tx, id);
  });
}

/** At once, when it has a schedule. */
function nextRun(
  { clock }: Deps,
  { schedule_minutes, paused }: { schedule_minutes: number | null; paused: boolean },
): Date | null {
  return schedule_minutes === null || paused ? null : new Date(clock.now());
}

const registerSource = statement<{ occupied: boolean }>("connection-source")`
  WITH made AS (
    INSERT INTO data_source (catrn, name, description) VALUES ($1, $2, 'Read by a connection')
    ON CONFLICT (catrn) DO NOTHING RETURNING id)
  SELECT EXISTS (SELECT FROM data_source
                  WHERE catrn = $1 AND (token_id IS NOT NULL OR collector_id IS NOT NULL)) AS occupied`;

/** Registers the data source unless it is there. Throws 400 for one that a token or a collector may write. */
async function requireSource(tx: Transaction, catrn: string, name: string): Promise<void> {
  const [source] = await tx.query(registerSource, [catrn, name]);
  if (!source!.occupied) return;
  throw conflict(`Data source ${catrn} belongs to a collector`, [{
    field: "settings",
    message: "name a database that a collector already writes: delete that data source first",
  }]);
}

interface ConnectionRow {
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

/** Reads and locks a connection. Throws 404. */
async function lockConnection(tx: Transaction, id: number): Promise<ConnectionRow> {
  return requireFound(await tx.query(lock, [id]), "Connection", id);
}

const otherSource = (catrn: string) =>
  conflict("The settings name another database", [{
    field: "settings",
    message: `must stay those of ${catrn}: create another connection for another database`,
  }]);

const taken = (name: string, source: string) =>
  conflict(`There is already a connection called ${name}, or one to this database`, [
    {
      field: "name",
      message: `must differ from other connections${source && `; so must ${source}`}`,
    },
  ]);

/** A connection for auditors. */
const inWords = (id: number, name: string) => `connection ${id} ${name}`;

const connectionAsJson = statement<JsonRow>("connection-json")`
  SELECT json_connection(c)::text AS json FROM connection c WHERE id = $1`;

/** Connection as JSON text. Throws 404. */
export async function connectionJson(db: Queryable, id: number): Promise<string> {
  return foundJson(await db.query(connectionAsJson, [id]), "Connection", id);
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

const update = statement("connection-update")`
  UPDATE connection SET name = $2, connector = $3, settings = $4::jsonb, secrets = $5::jsonb,
         source_catrn = $6, schedule_minutes = $7, paused = $8, next_run_at = $9, updated_at = now()
   WHERE id = $1`;

const remove = statement("connection-delete")`DELETE FROM connection WHERE id = $1`;

/** $1 connection, $2 kind, $3 by whom. Queues a run, unless one of its kind waits already; its id. */
const queueRun = statement<{ id: number }>("connection-run-request")`
  WITH made AS (
    INSERT INTO connection_run (connection_id, kind, requested_by) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING id),
  notified AS (SELECT pg_notify('connection_run', ''))
  SELECT id FROM made, notified
  UNION SELECT r.id FROM connection_run r
         WHERE r.connection_id = $1 AND r.kind = $2 AND r.state = 'QUEUED' LIMIT 1`;

const runAsJson = statement<JsonRow>("connection-run-json")`
  SELECT json_connection_run(r)::text AS json FROM connection_run r WHERE id = $1`;

/** ConnectionRun as JSON text. Throws 404. */
export async function runJson(db: Queryable, id: number): Promise<string> {
  return foundJson(await db.query(runAsJson, [id]), "Run", id);
}

/** Asks a run to end: one that waits at once, one at work within about a second. The name of its connection. */
const cancel = statement<{ name: string }>("connection-run-cancel")`
  WITH ended AS (
    UPDATE connection_run r SET cancel = true,
           state = CASE r.state WHEN 'QUEUED' THEN 'CANCELLED' ELSE r.state END,
           finished_at = CASE r.state WHEN 'QUEUED' THEN now() END
     WHERE r.id = $1 AND r.state IN ('QUEUED', 'RUNNING') RETURNING r.id)
  SELECT c.name FROM connection_run r JOIN connection c ON c.id = r.connection_id WHERE r.id = $1`;
