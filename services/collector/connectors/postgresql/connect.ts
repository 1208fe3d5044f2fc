import { isIP } from "node:net";
import pg from "pg";
import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { systemClock } from "#kit/clock.ts";
import { sqlState } from "#metadata/postgres/database.ts";
import { connectionCause } from "#platform/http/outbound.ts";
import {
  type FailureWords,
  SourceError,
  sourceErrorOf,
} from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";

/** Milliseconds until a connection must stand. */
const connectMs = 10_000;
/** Milliseconds beyond the server's own timeout that this side waits. */
const graceMs = 2_000;
/** Milliseconds that a connection is given to end in order. */
const endMs = 500;

/** A connection that can only read, and ends when its run does. */
export class SourceConnection {
  readonly #end = () => void this.client.end().catch(() => {});

  constructor(
    private readonly client: pg.Client,
    private readonly session: Session<PostgresqlSettings>,
  ) {
    session.signal.addEventListener("abort", this.#end, { once: true });
  }

  /** Runs `work` in a transaction of its own: what it reads is of one moment, and nothing is held for long. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    const ms = this.session.statementTimeoutMs;
    await this.query(
      "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL search_path = pg_catalog; " +
        `SET LOCAL statement_timeout = ${ms}; SET LOCAL lock_timeout = ${ms}; ` +
        `SET LOCAL idle_in_transaction_session_timeout = ${4 * ms}`,
    );
    try {
      return await work();
    } finally {
      await this.client.query("ROLLBACK").catch(() => {});
    }
  }

  /** Rows of a query; throws a `SourceError`. */
  async query<R>(text: string, values: unknown[] = []): Promise<R[]> {
    this.session.signal.throwIfAborted();
    try {
      const given = values.length > 0 ? { text, values } : { text };
      return (await this.client.query(given)).rows as R[];
    } catch (error) {
      this.session.signal.throwIfAborted();
      throw sourceError(error, this.session.settings);
    }
  }

  async close(): Promise<void> {
    this.session.signal.removeEventListener("abort", this.#end);
    await Promise.race([this.client.end().catch(() => {}), systemClock.sleep(endMs)]);
  }
}

/** Connects; the connection is to be closed, and breaks when the run ends. Throws a `SourceError`. */
export async function openConnection(
  session: Session<PostgresqlSettings>,
): Promise<SourceConnection> {
  const { settings, signal } = session;
  signal.throwIfAborted();
  try {
    const address = await session.address(settings.host);
    return new SourceConnection(await signedIn(session, address), session);
  } catch (error) {
    signal.throwIfAborted();
    throw sourceError(error, settings);
  }
}

async function signedIn(
  session: Session<PostgresqlSettings>,
  address: string,
): Promise<pg.Client> {
  const { tls } = session.settings;
  if (tls !== "prefer") return await connect(session, clientOf(session, address, tls));
  try {
    return await connect(session, clientOf(session, address, "require"));
  } catch (error) {
    session.signal.throwIfAborted();
    if (!lacksTls(error)) throw error;
    return await connect(session, clientOf(session, address, "disable"));
  }
}

async function connect({ signal }: Session<PostgresqlSettings>, client: pg.Client) {
  // A connection that breaks reports it here as well as to its query.
  client.on("error", () => {});
  const end = () => void client.end().catch(() => {});
  signal.addEventListener("abort", end, { once: true });
  try {
    await client.connect();
    return client;
  } catch (error) {
    end();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function clientOf(
  { settings, secrets, statementTimeoutMs }: Session<PostgresqlSettings>,
  address: string,
  mode: Exclude<PostgresqlSettings["tls"], "prefer">,
): pg.Client {
  const { host, port, database, user, ca } = settings;
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return new pg.Client({
    host: address,
    port,
    database,
    user,
    // A function, since for an empty password the driver would take PGPASSWORD, which is that of our own server.
    password: () => secrets.get("password") ?? "",
    ssl: mode === "disable"
      ? false
      : { ...servername, rejectUnauthorized: mode === "verify-full", ...(ca ? { ca } : {}) },
    connectionTimeoutMillis: connectMs,
    query_timeout: statementTimeoutMs + graceMs,
    keepAlive: true,
    application_name: "tributary collector",
  });
}

const byState = new Map<string, FailureWords>([
  ["28P01", ["the user or the password is wrong", "Enter the password again"]],
  ["28000", ["the server does not let this user in", "Check user, TLS and pg_hba.conf"]],
  ["3D000", ["there is no such database", "Check the name of the database"]],
  ["42501", ["the user lacks a privilege", "Grant the user SELECT on pg_catalog"]],
  ["53300", ["the server has no free connection", "Try again later"]],
  ["57014", ["the query took too long", "Raise connections.statement-timeout"]],
  ["25P03", ["the query took too long", "Raise connections.statement-timeout"]],
  ["55P03", ["a lock was held too long", "Try again later"]],
  ["57P03", ["the server is starting up or shutting down", "Try again later"]],
]);

function sourceError(error: unknown, { host, port, database }: PostgresqlSettings): SourceError {
  return sourceErrorOf(`${host}:${port}/${database}`, error, wordsOf);
}

const lacksTls = (error: unknown) =>
  error instanceof Error && /does not support SSL/.test(error.message);

function wordsOf(error: unknown): FailureWords {
  const state = sqlState(error);
  const known = byState.get(state ?? "");
  if (known) return known;
  if (state !== undefined) return [`the server refused with SQLSTATE ${state}`, null];
  if (lacksTls(error)) {
    return ["the server does not offer TLS", "Set TLS to prefer or disable, or enable TLS there"];
  }
  if (error instanceof Error && error.message === "Query read timeout") {
    return ["the query took too long", "Raise connections.statement-timeout"];
  }
  return [connectionCause(error), "Check host, port, firewall and TLS"];
}

/** Whether a failure concerns what was read, and not the connection: then others may be read. */
export function concernsObject(error: unknown): boolean {
  const state = error instanceof SourceError ? sqlState(error.cause) : undefined;
  return state !== undefined && !["08", "28", "53", "57"].includes(state.slice(0, 2)) ||
    state === "57014";
}
