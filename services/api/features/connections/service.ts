import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import type {
  ConnectionForm,
  ConnectionUpdateForm,
  RunKind,
} from "#contract/connections/connection.ts";
import {
  connectorNames,
  type ConnectorSettings,
  connectorTitles,
  settingsSchema,
} from "#contract/connections/connectors.ts";
import { type ListQuery, type PageQuery, pageWindow } from "#contract/http.ts";
import { conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "./queries.ts";
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

/** ConnectionList as JSON text. */
export function listConnections({ db }: Deps, query: ListQuery): Promise<string> {
  return queries.connectionList(db, containsPattern(query.query ?? ""), pageWindow(query));
}

/** Connection as JSON text. Throws 404. */
export async function getConnection({ db }: Pick<Deps, "db">, id: number): Promise<string> {
  return await queries.connectionJson(db, id) ?? missing(id);
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
    const id = await queries.insertConnection(tx, row, nextRun(deps, form));
    change.audit("CONNECTION_CREATED", inWords(id, form.name));
    return await queries.connectionJson(tx, id) ?? missing(id);
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
    const before = await locked(tx, id);
    const split = splitSettings(deps.config, before.connector, form.settings);
    const settings = before.settings as ConnectorSettings;
    const secrets = mergedSecrets(before.connector, { settings, secrets: before.secrets }, split);
    const source_catrn = sourceCatrn(before.connector, split.settings);
    if (source_catrn !== before.source_catrn) throw otherSource(before.source_catrn);
    const { connector } = before;
    const row = { ...form, connector, settings: split.settings, secrets, source_catrn };
    await queries.updateConnection(tx, id, row, nextRun(deps, form));
    change.audit("CONNECTION_CHANGED", inWords(id, form.name));
    return await queries.connectionJson(tx, id) ?? missing(id);
  }, { unique: () => taken(form.name, "") });
}

/** Deletes a connection with its history; what it has read stays. Throws 404. */
export async function deleteConnection(deps: Deps, actor: Actor, id: number): Promise<void> {
  await changing(deps, actor, async (change) => {
    const { name } = await locked(change.tx, id);
    await queries.deleteConnection(change.tx, id);
    change.audit("CONNECTION_DELETED", inWords(id, name));
  });
}

/** Queues a run, a test or a preview; ConnectionRun as JSON text. Throws 404. */
export function requestRun(deps: Deps, actor: Actor, id: number, kind: RunKind): Promise<string> {
  return changing(deps, actor, async (change) => {
    const { name } = await locked(change.tx, id);
    const run = await queries.requestRun(change.tx, id, kind, actor.name);
    change.audit("CONNECTION_RUN", `${kind} of ${inWords(id, name)}`);
    return await queries.runJson(change.tx, run) ?? missing(id);
  });
}

/** ConnectionRunList as JSON text, newest first. Throws 404. */
export async function listRuns(deps: Deps, id: number, page: PageQuery): Promise<string> {
  await getConnection(deps, id);
  return await queries.runList(deps.db, id, pageWindow(page));
}

/** ConnectionRun as JSON text. Throws 404. */
export async function getRun({ db }: Deps, id: number): Promise<string> {
  const json = await queries.runJson(db, id);
  if (json === undefined) throw notFound("Run", id);
  return json;
}

/** Asks a run to end; ConnectionRun as JSON text. Throws 404. */
export function cancelRun(deps: Deps, actor: Actor, id: number): Promise<string> {
  return changing(deps, actor, async (change) => {
    const name = await queries.cancelRun(change.tx, id);
    if (name === undefined) throw notFound("Run", id);
    change.audit("CONNECTION_RUN_CANCELLED", `run ${id} of ${name}`);
    return await queries.runJson(change.tx, id) ?? missing(id);
  });
}

/** At once, when it has a schedule. */
function nextRun(
  { clock }: Deps,
  { schedule_minutes, paused }: { schedule_minutes: number | null; paused: boolean },
): Date | null {
  return schedule_minutes === null || paused ? null : new Date(clock.now());
}

async function requireSource(tx: Transaction, catrn: string, name: string): Promise<void> {
  if (!await queries.ensureSource(tx, catrn, name)) return;
  throw conflict(`Data source ${catrn} belongs to a collector`, [{
    field: "settings",
    message: "name a database that a collector already writes: delete that data source first",
  }]);
}

async function locked(tx: Transaction, id: number): Promise<queries.ConnectionRow> {
  return await queries.lockConnection(tx, id) ?? missing(id);
}

function missing(id: number): never {
  throw notFound("Connection", id);
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
