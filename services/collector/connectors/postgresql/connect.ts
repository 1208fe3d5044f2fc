import { isIP } from "node:net";
import pg from "pg";
import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import type { Session } from "../../connector.ts";
import { sourceError } from "./errors.ts";

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
