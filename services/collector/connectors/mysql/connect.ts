import { connect as connectTcp } from "node:net";
import mysql, { type Connection, type ConnectionOptions } from "mysql2/promise";
import type { MysqlSettings } from "#contract/connections/mysql.ts";
import type { Session } from "../../connector.ts";
import { codeOf, sourceError } from "./errors.ts";

/** Milliseconds until a connection must stand. */
const connectMs = 10_000;
/** Milliseconds beyond the server's own timeout that this side waits. */
const graceMs = 2_000;
/** Milliseconds that a connection is given to end in order. */
const endMs = 500;

/** A connection that can only read, and ends when its run does. */
export class SourceConnection {
  constructor(
    private readonly connection: Connection,
    private readonly session: Session<MysqlSettings>,
  ) {}

  /** Rows of a query; throws a `SourceError`. */
  async query<R>(sql: string, values: (string | number)[] = []): Promise<R[]> {
    const { signal, statementTimeoutMs, settings } = this.session;
    signal.throwIfAborted();
    try {
      const timeout = statementTimeoutMs + graceMs;
      const [rows] = await this.connection.execute({ sql, timeout }, values);
      return rows as R[];
    } catch (error) {
      signal.throwIfAborted();
      throw sourceError(error, settings);
    }
  }

  async close(): Promise<void> {
    const ended = this.connection.end().catch(() => {});
    await Promise.race([ended, new Promise((done) => setTimeout(done, endMs))]);
    this.connection.destroy();
  }
}

/** Connects; the connection is to be closed, and breaks when the run ends. Throws a `SourceError`. */
export async function openConnection(session: Session<MysqlSettings>): Promise<SourceConnection> {
  const { settings, signal } = session;
  signal.throwIfAborted();
  try {
    const address = await session.address(settings.host);
    const connection = await signedIn(session, address);
    signal.addEventListener("abort", () => connection.destroy(), { once: true });
    if (signal.aborted) connection.destroy();
    // A connection that breaks reports it here as well as to its query.
    connection.on("error", () => {});
    await restrict(connection, session.statementTimeoutMs);
    return new SourceConnection(connection, session);
  } catch (error) {
    signal.throwIfAborted();
    throw sourceError(error, settings);
  }
}

async function signedIn(session: Session<MysqlSettings>, address: string): Promise<Connection> {
  const { tls } = session.settings;
  if (tls !== "prefer") return await mysql.createConnection(optionsOf(session, address, tls));
  try {
    return await mysql.createConnection(optionsOf(session, address, "require"));
  } catch (error) {
    if (codeOf(error) !== "HANDSHAKE_NO_SSL_SUPPORT") throw error;
    return await mysql.createConnection(optionsOf(session, address, "disable"));
  }
}

function optionsOf(
  { settings, secrets }: Session<MysqlSettings>,
  address: string,
  mode: Exclude<MysqlSettings["tls"], "prefer">,
): ConnectionOptions {
  const { host, port, user, ca } = settings;
  return {
    ...{ host, port, user },
    password: secrets.get("password") ?? "",
    // The address that was checked, whatever the name means by now.
    stream: () => connectTcp({ host: address, port }),
    ...(mode === "disable"
      ? {}
      : { ssl: { rejectUnauthorized: mode === "verify-full", ...(ca ? { ca } : {}) } }),
    connectTimeout: connectMs,
    charset: "utf8mb4",
    // The server must not ask for files of this machine.
    flags: ["-LOCAL_FILES"],
    // The driver would otherwise make code of what the server answers.
    disableEval: true,
  };
}

/** The session may only read; the server itself ends its long queries. */
async function restrict(connection: Connection, timeoutMs: number): Promise<void> {
  await connection.query("SET SESSION TRANSACTION READ ONLY");
  const [rows] = await connection.query("SELECT version() AS version");
  const [{ version }] = rows as [{ version: string }];
  const isMaria = /mariadb/i.test(version);
  await connection.query(
    isMaria ? "SET SESSION max_statement_time = ?" : "SET SESSION max_execution_time = ?",
    [isMaria ? timeoutMs / 1_000 : timeoutMs],
  );
}
