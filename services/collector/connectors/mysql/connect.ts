import { connect as connectTcp } from "node:net";
import mysql, { type Connection, type ConnectionOptions } from "mysql2/promise";
import type { MysqlSettings } from "#contract/connections/mysql.ts";
import { systemClock } from "#kit/clock.ts";
import { connectionCause } from "#platform/http/outbound.ts";
import {
  type FailureWords,
  type SourceError,
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
    await Promise.race([ended, systemClock.sleep(endMs)]);
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

const late: FailureWords = ["the query took too long", "Raise connections.statement-timeout"];
const signIn: FailureWords = ["the user or the password is wrong", "Enter user and password again"];

const byCode = new Map<string, FailureWords>([
  ["ER_ACCESS_DENIED_ERROR", signIn],
  ["ER_ACCESS_DENIED_NO_PASSWORD_ERROR", signIn],
  ["ER_HOST_NOT_PRIVILEGED", [
    "the server lets no user in from this host",
    "Grant the user access",
  ]],
  ["ER_NOT_SUPPORTED_AUTH_MODE", [
    "the user signs in by a method that is not supported",
    "Use mysql_native_password or caching_sha2_password",
  ]],
  ["ER_SECURE_TRANSPORT_REQUIRED", ["the server demands TLS", "Set TLS to require or verify-full"]],
  ["HANDSHAKE_NO_SSL_SUPPORT", [
    "the server does not offer TLS",
    "Set TLS to prefer or disable, or enable TLS there",
  ]],
  ["ER_CON_COUNT_ERROR", ["the server has no free connection", "Try again later"]],
  ["ER_QUERY_TIMEOUT", late],
  ["ER_STATEMENT_TIMEOUT", late],
  ["PROTOCOL_SEQUENCE_TIMEOUT", late],
]);

/** Numbers of errors of MariaDB that the driver has no code for. */
const byNumber = new Map([[1969, "ER_STATEMENT_TIMEOUT"]]);

/** The code of an error, as the driver or the server calls it. */
function codeOf(error: unknown): string {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  const known = typeof errno === "number" ? byNumber.get(errno) : undefined;
  return known ?? (typeof code === "string" ? code : "");
}

function sourceError(error: unknown, { host, port }: MysqlSettings): SourceError {
  return sourceErrorOf(`${host}:${port}`, error, wordsOf);
}

function wordsOf(error: unknown): FailureWords {
  const code = codeOf(error);
  const known = byCode.get(code);
  if (known) return known;
  return code.startsWith("ER_")
    ? [`the server refused with ${code}`, "See the log of the server"]
    : [connectionCause(error), "Check host, port, firewall and TLS"];
}
