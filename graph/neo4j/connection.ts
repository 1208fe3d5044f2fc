import neo4j, { type Driver, type ManagedTransaction } from "neo4j-driver";
import { Socket } from "node:net";
import tls from "node:tls";
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

/** Milliseconds before a late query causes a probe of the engine, and between two probes. */
const probeEveryMs = 500;

/**
 * Time limit of a probe: `timers` timers in a row of `timerMs` milliseconds. One long timer would also expire
 * while this process itself is busy with large answers. An engine that has just started on a busy machine takes
 * more than a second to answer a first connection.
 */
const probeTimeout = { timers: 60, timerMs: 50 };

/**
 * Distinguishes a slow engine from one that hangs: while an answer is late, the engine is greeted as a
 * probe, shared by all waiting queries. So a long walk may take its time, and a dead engine is detected soon.
 */
class LivenessCheck {
  #probing: Promise<void> | undefined;

  /** `ask` sends the probe over a separate connection, with the cheapest possible request. */
  constructor(private readonly ask: () => Promise<unknown>) {}

  /** The outcome of `work`; rejects with a 503 as soon as a probe gets no answer. */
  async watch<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const dead = new Promise<never>((_, fail) => {
      const wait = () => {
        if (!ended) timer = setTimeout(() => void this.#probe().then(wait, fail), probeEveryMs);
      };
      wait();
    });
    try {
      return await Promise.race([work, dead]);
    } finally {
      ended = true;
      clearTimeout(timer);
    }
  }

  #probe(): Promise<void> {
    const hangs = (cause?: unknown) => unavailable("The lineage graph does not answer", 5, cause);
    return this.#probing ??= this.#answered()
      .catch((error) => {
        throw hangs(error);
      })
      .finally(() => this.#probing = undefined);
  }

  async #answered(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, fail) => {
      const next = (left: number) => {
        if (left === 0) fail(new Error("the probe was not answered"));
        else timer = setTimeout(() => next(left - 1), probeTimeout.timerMs);
      };
      next(probeTimeout.timers);
    });
    try {
      await Promise.race([this.ask(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const setNoDelay = Socket.prototype.setNoDelay;
let noDelay = false;

/**
 * Makes `setNoDelay` work before the socket is connected, as in Node. Deno 2.7 forgets such a call, and the
 * driver makes it then: each message over 1,400 bytes would wait 40 ms for the delayed acknowledgement of its
 * first packet. Remove this once the pinned Deno keeps the setting.
 */
function keepNoDelay(): void {
  if (noDelay) return;
  noDelay = true;
  Socket.prototype.setNoDelay = function (this: Socket, on?: boolean) {
    if (!this.connecting) return setNoDelay.call(this, on);
    // Calling it early would mark it as done, and the later call would have no effect.
    return this.once("connect", () => setNoDelay.call(this, on));
  };
}

type Connect = typeof tls.connect;

let verified = false;

/**
 * Makes the driver's TLS connections reject untrusted certificates. The driver completes the handshake and
 * then checks `socket.authorized`, which is always true in Deno 2.7: an attacker on the network could present
 * any certificate and would receive the password. Only the driver calls with port, host, options and
 * callback. Remove this once the pinned Deno reports the real value.
 */
function verifyPeers(): void {
  if (verified) return;
  verified = true;
  const connect = tls.connect as (...args: unknown[]) => tls.TLSSocket;
  tls.connect = ((...args: unknown[]) => {
    const [port, host, options, callback] = args;
    if (!isDriverCall(args)) return connect(...args);
    return connect(port, host, { ...options as object, rejectUnauthorized: true }, callback);
  }) as Connect;
}

function isDriverCall([port, host, options, callback]: unknown[]): boolean {
  return typeof port === "number" && typeof host === "string" && typeof options === "object" &&
    typeof callback === "function";
}
