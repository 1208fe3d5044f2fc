import neo4j, { type Driver, type ManagedTransaction } from "neo4j-driver";
import { keepNoDelay } from "#graph/neo4j/no-delay.ts";
import { LivenessCheck } from "#graph/neo4j/liveness-check.ts";
import { verifyPeers } from "#graph/neo4j/verified.ts";
import { engineFailure, unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";

export interface Neo4jOptions {
  /** `bolt://`, `neo4j://`, with `+s` for TLS. */
  url: string;
  username: string;
  password: string;
  database?: string;
  /** PEM file of the certificate authority for `…+s://`, when the system does not trust it. */
  caFile?: string;
  /** Prefix of all our names in the database; matches `^[a-z][a-z0-9_-]{0,39}$`. */
  instance: string;
}

export type Parameters = Record<string, unknown>;

/** Milliseconds to wait for a connection; may be long, because `LivenessCheck` detects a dead engine. */
const maxWait = 10_000;

/** Milliseconds that an answer may arrive after the engine's own deadline. */
const grace = 2_000;

/** A bounded pool of connections to one database; every wait has a deadline. Integers become numbers. */
export class Connection {
  readonly #driver: Driver;
  readonly #database: string | undefined;
  readonly #liveness: LivenessCheck;

  constructor(options: Neo4jOptions) {
    keepNoDelay();
    verifyPeers();
    this.#driver = driverOf(options);
    this.#database = options.database;
    this.#liveness = new LivenessCheck(() => answers(options));
  }

  /** Reads one row in one round trip. Engine failures are a 503, a passed deadline is `isTimeout`. */
  async read<R>(text: string, parameters: Parameters, timeoutMs: number): Promise<R> {
    try {
      return await this.#read(text, parameters, timeoutMs);
    } catch (error) {
      // A connection that broke while idle in the pool says nothing about the engine.
      if (!isBrokenConnection(error)) throw translate(error);
      return await this.#read<R>(text, parameters, timeoutMs).catch((e) => {
        throw translate(e);
      });
    }
  }

  /** Runs several statements in one transaction, which is repeated on transient errors. */
  async write<T>(work: (tx: ManagedTransaction) => Promise<T>, timeoutMs: number): Promise<T> {
    const session = this.#driver.session({ database: this.#database });
    try {
      return await withTimeout(
        this.#liveness.watch(session.executeWrite(work, { timeout: timeoutMs })),
        timeoutMs + grace,
        () => unavailable("The lineage graph does not answer"),
      );
    } catch (error) {
      throw translate(error);
    } finally {
      void session.close().catch(() => {});
    }
  }

  async close(): Promise<void> {
    await this.#driver.close();
  }

  async #read<R>(text: string, parameters: Parameters, timeoutMs: number): Promise<R> {
    const session = this.#driver.session({ database: this.#database, defaultAccessMode: "READ" });
    // The engine takes 0 for "no deadline".
    const timeout = Math.max(1, Math.round(timeoutMs));
    try {
      const { records } = await withTimeout(
        this.#liveness.watch(
          session.run(text, integers(parameters), { timeout }).then((result) => result),
        ),
        timeout + grace,
        () => unavailable("The lineage graph does not answer"),
      );
      return records[0]!.toObject() as R;
    } finally {
      // Not awaited, because closing waits for an engine that may never answer.
      void session.close().catch(() => {});
    }
  }
}

function driverOf({ url, username, password, caFile }: Neo4jOptions): Driver {
  // The driver accepts a certificate authority only when the URL itself does not ask for TLS.
  const address = caFile ? url.replace(/^(\w+)\+s:/i, "$1:") : url;
  return neo4j.driver(address, neo4j.auth.basic(username, password), {
    ...(caFile ? tlsBy(caFile) : {}),
    disableLosslessIntegers: true,
    maxConnectionPoolSize: 32,
    connectionTimeout: maxWait,
    connectionAcquisitionTimeout: maxWait,
    connectionLivenessCheckTimeout: 100,
    maxTransactionRetryTime: 3_000,
    telemetryDisabled: true,
  });
}

const tlsBy = (caFile: string) => ({
  encrypted: "ENCRYPTION_ON" as const,
  trust: "TRUST_CUSTOM_CA_SIGNED_CERTIFICATES" as const,
  trustedCertificates: [caFile],
});

/**
 * Resolves when the engine answers the handshake on a new connection. Nothing more is requested: an engine that
 * has just started, or has much to do, takes seconds to log on and to answer a first query.
 */
async function answers(options: Neo4jOptions): Promise<void> {
  const driver = driverOf(options);
  try {
    await driver.supportsMultiDb();
  } finally {
    void driver.close().catch(() => {});
  }
}

/** Converts numbers to Cypher integers; plain JavaScript numbers would arrive as floats. */
export function integers(parameters: Parameters): Parameters {
  const convert = (value: unknown): unknown => {
    if (typeof value === "number") return neo4j.int(value);
    return Array.isArray(value) ? value.map(convert) : value;
  };
  return Object.fromEntries(Object.entries(parameters).map(([k, v]) => [k, convert(v)]));
}

/** An error of the driver or the engine. Not checked by class: the driver is bundled in several copies. */
interface EngineError extends Error {
  code: string;
  retriable: boolean;
}

function isEngineError(error: unknown): error is EngineError {
  return error instanceof Error && error.name === "Neo4jError";
}

/** Whether the engine ended a transaction because its deadline passed. */
export function isTimeout(error: unknown): boolean {
  return isEngineError(error) &&
    /TransactionTimedOut|Transaction\.Terminated|TransactionTerminated/.test(error.code);
}

function isBrokenConnection(error: unknown): boolean {
  if (!isEngineError(error)) return false;
  return error.code === neo4j.error.SESSION_EXPIRED ||
    error.code === neo4j.error.SERVICE_UNAVAILABLE && /closed|reset|EPIPE/i.test(error.message);
}

const connectionCodes: string[] = [
  neo4j.error.SERVICE_UNAVAILABLE,
  neo4j.error.SESSION_EXPIRED,
  neo4j.error.PROTOCOL_ERROR,
  "N/A", // failures of the driver itself, such as no connection in time
];

/** Failures of the engine and its configuration become a 503; errors in our queries stay as they are. */
function translate(error: unknown): unknown {
  if (!isEngineError(error) || isTimeout(error)) return error;
  const down = error.retriable || connectionCodes.includes(error.code) ||
    /^Neo\.(TransientError|DatabaseError)|Security|Database\.DatabaseNotFound/.test(error.code);
  return down
    ? unavailable("The lineage graph is not available", 5, engineFailure("Neo4j", error))
    : error;
}
