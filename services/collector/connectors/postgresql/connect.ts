import { isIP } from "node:net";
import pg from "pg";
import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { sqlState } from "#metadata/postgres/database.ts";
import { connectionCause } from "#platform/http/outbound.ts";
import { HostRefused } from "#platform/connections/hosts.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";

/** Milliseconds until a connection must stand. */
const connectMs = 10_000;
/** Milliseconds beyond the server's own timeout that this side waits. */
const graceMs = 2_000;
/** Milliseconds that a connection is given to end in order. */
const endMs = 500;

const noTls = /does not support SSL/;

/** A connection that can only read, and ends when its run does. */
export class SourceConnection {
  constructor(
    private readonly client: pg.Client,
    private readonly session: Session<PostgresqlSettings>,
  ) {}

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
}

/** Connects and runs `work`; the connection is closed whatever happens. */
export async function connected<T>(
  session: Session<PostgresqlSettings>,
  work: (connection: SourceConnection) => Promise<T>,
): Promise<T> {
  const client = await open(session);
  const end = () => void client.end().catch(() => {});
  session.signal.addEventListener("abort", end, { once: true });
  try {
    return await work(new SourceConnection(client, session));
  } finally {
    session.signal.removeEventListener("abort", end);
    await Promise.race([client.end().catch(() => {}), delay(endMs)]);
  }
}

async function open(session: Session<PostgresqlSettings>): Promise<pg.Client> {
  const { settings, signal } = session;
  signal.throwIfAborted();
  const address = await session.address(settings.host).catch((error) => {
    throw sourceError(error, settings);
  });
  const modes = settings.tls === "prefer" ? ["require", "disable"] as const : [settings.tls];
  for (const [at, mode] of modes.entries()) {
    const client = clientOf(session, address, mode);
    // A connection that breaks reports it here as well as to its query.
    client.on("error", () => {});
    const abort = () => void client.end().catch(() => {});
    signal.addEventListener("abort", abort, { once: true });
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      signal.throwIfAborted();
      const plain = at + 1 < modes.length && error instanceof Error && noTls.test(error.message);
      if (!plain) throw sourceError(error, settings);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
  throw new Error("unreachable");
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

const delay = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

type Words = [reason: string, remedy: string | null];

const byState = new Map<string, Words>([
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

/**
 * A failure of the driver as a fixed text. What servers and libraries say is never repeated: it may hold values,
 * addresses and secrets.
 */
function sourceError(error: unknown, settings: PostgresqlSettings): SourceError {
  if (error instanceof SourceError) return error;
  const object = `${settings.host}:${settings.port}/${settings.database}`;
  if (error instanceof HostRefused) {
    return new SourceError(object, error.message, error.remedy);
  }
  const state = sqlState(error);
  const [reason, remedy] = byState.get(state ?? "") ?? wordsOf(error, state);
  return new SourceError(object, reason, remedy, error);
}

function wordsOf(error: unknown, state: string | undefined): Words {
  if (state !== undefined) return [`the server refused with SQLSTATE ${state}`, null];
  const message = error instanceof Error ? error.message : "";
  if (/does not support SSL/.test(message)) {
    return ["the server does not offer TLS", "Set TLS to prefer or disable, or enable TLS there"];
  }
  if (/^Query read timeout$/.test(message)) {
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
