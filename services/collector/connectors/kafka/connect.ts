import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import kafkajs, { type Admin, type KafkaConfig, type SASLOptions } from "kafkajs";
import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { useQuietRequestQueue } from "#eventlog/kafka/client-patches.ts";
import { systemClock } from "#kit/clock.ts";
import { HostRefused } from "#platform/connections/hosts.ts";
import { connectionCause } from "#platform/http/outbound.ts";
import {
  type FailureWords,
  SourceError,
  sourceErrorOf,
} from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";

/** Milliseconds until a connection must stand. */
const connectMs = 5_000;
/** Milliseconds that connections are given to end in order. */
const endMs = 500;

/** Calls to a cluster, each with a time limit, ended with the run. */
export class ClusterAdmin {
  /** Why a broker was not reached; the client reports it as a broken connection. */
  #refused: HostRefused | undefined;
  readonly #admin: Admin;

  constructor(private readonly session: Session<KafkaSettings>) {
    useQuietRequestQueue();
    this.#admin = new kafkajs.Kafka(this.#config()).admin();
  }

  /** The answer of a call; throws a `SourceError`. */
  async call<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const { signal, statementTimeoutMs, settings } = this.session;
    signal.throwIfAborted();
    const ended = Promise.withResolvers<never>();
    const abort = () => ended.reject(signal.reason);
    const late = new SourceError(
      settings.brokers.join(","),
      "the brokers took too long to answer",
      "Raise connections.statement-timeout, and check the brokers",
    );
    const timer = setTimeout(() => ended.reject(late), statementTimeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const working = work(this.#admin);
      // Whichever ends first; what fails later is of no interest.
      working.catch(() => {});
      return await Promise.race([working, ended.promise]);
    } catch (error) {
      signal.throwIfAborted();
      throw sourceErrorOf(settings.brokers.join(","), this.#refused ?? error, wordsOf);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const ended = this.#admin.disconnect().catch(() => {});
    await Promise.race([ended, systemClock.sleep(endMs)]);
  }

  #config(): KafkaConfig {
    const { settings, secrets, statementTimeoutMs } = this.session;
    const { brokers, tls, ca, sasl, user = "" } = settings;
    const signIn = { mechanism: sasl, username: user, password: secrets.get("password") ?? "" };
    return {
      clientId: "tributary-collector",
      brokers,
      connectionTimeout: connectMs,
      authenticationTimeout: connectMs,
      requestTimeout: statementTimeoutMs,
      retry: { retries: 1, initialRetryTime: 200, maxRetryTime: 500 },
      logLevel: kafkajs.logLevel.NOTHING,
      socketFactory: ({ host, port, ssl, onConnect }) => this.#socket(host, port, ssl, onConnect),
      ...(tls === "disable"
        ? {}
        : { ssl: { rejectUnauthorized: tls === "verify-full", ...(ca ? { ca: [ca] } : {}) } }),
      ...(sasl === "none" ? {} : { sasl: signIn as SASLOptions }),
    };
  }

  /** A cluster names its other brokers itself: each is checked before anything connects to it. */
  #socket(host: string, port: number, ssl: object | undefined, onConnect: () => void): Socket {
    const target = {
      // An address would be connected to without a look-up, and so without the check.
      host: "broker.invalid",
      port,
      lookup: (_: string, options: { all?: boolean }, done: LookupDone) =>
        void this.#address(host).then((address) => {
          const family = isIP(address);
          if (options.all) done(null, [{ address, family }]);
          else done(null, address, family);
        }, (error) => done(error)),
    };
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = ssl
      ? connectTls({ ...target, ...servername, ...ssl } as never, onConnect)
      : connectTcp(target as never, onConnect);
    return socket.setKeepAlive(true);
  }

  async #address(host: string): Promise<string> {
    try {
      return await this.session.address(host.replace(/^\[|\]$/g, ""));
    } catch (error) {
      if (error instanceof HostRefused) this.#refused = error;
      throw error;
    }
  }
}

type LookupDone = (
  error: Error | null,
  address?: string | { address: string; family: number }[],
  family?: number,
) => void;

/** An error and what it wraps. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 6; at = at.cause) causes.push(at);
  return causes;
}

/** The error code of the broker (`TOPIC_AUTHORIZATION_FAILED`), also when the client wrapped the error. */
function codeOf(error: unknown): string | undefined {
  return causesOf(error).map((one) => (one as { type?: unknown }).type)
    .find((type) => typeof type === "string");
}

/** Whether the broker refuses to show something to this user. */
export const isForbidden = (error: unknown) => /_AUTHORIZATION_FAILED$/.test(codeOf(error) ?? "");

/** Whether a topic is not there, or not any more. */
export const isUnknownTopic = (error: unknown) => codeOf(error) === "UNKNOWN_TOPIC_OR_PARTITION";

function wordsOf(error: unknown): FailureWords {
  const code = codeOf(error);
  const isSignIn = causesOf(error).some(({ name }) => name === "KafkaJSSASLAuthenticationError");
  if (isSignIn || code === "SASL_AUTHENTICATION_FAILED") {
    return ["the user or the password is wrong", "Check user, password and SASL mechanism"];
  }
  if (isForbidden(error)) {
    return ["the user lacks a privilege", "Grant DESCRIBE on topics and groups to the user"];
  }
  if (code !== undefined) return [`the broker refused with ${code}`, "See the log of the broker"];
  if (error instanceof kafkajs.KafkaJSRequestTimeoutError) {
    return ["the broker took too long to answer", "Raise connections.statement-timeout"];
  }
  return [connectionCause(error), "Check brokers, their advertised listeners, firewall and TLS"];
}
