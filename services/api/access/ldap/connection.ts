import { connect as connectPlainly, type Socket } from "node:net";
import { connect as connectByTls, type ConnectionOptions } from "node:tls";
import type { Client } from "ldapts";
import { Buffer } from "node:buffer";
import { engineFailure, unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import { readAuthority } from "#platform/config/authority.ts";
import type { Ldap } from "#platform/config/ldap.ts";

/** Milliseconds until a connection must stand, and an answer be there. */
const connectTimeout = 5_000;
const operationTimeout = 5_000;
/** Milliseconds of a whole check. */
const checkTimeout = 20_000;

/** An entry: its DN, and its values by attribute in lower case. */
export interface DirectoryEntry {
  dn: string;
  values: ReadonlyMap<string, readonly string[]>;
}

/** What to search for. */
export interface Search {
  base: string;
  filter: string;
  attributes: string[];
  /** Most entries. */
  max: number;
  scope?: "base" | "sub";
}

/** A connection to the directory, of one check. */
export interface Connection {
  /** Whether the directory accepts the password. Never called with an empty one. */
  bind(name: string, password: string): Promise<boolean>;
  /** Undefined when there are more than `max`. */
  search(search: Search): Promise<DirectoryEntry[] | undefined>;
}

/** Runs `work` on a connection of its own, which is closed in any case. 503 when the directory fails. */
export type Connect = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** Throws when the certificate of the authority cannot be read. */
export function directoryAt(config: Ldap): Connect {
  const ca = readAuthority("auth.ldap.ssl.ca-file", config.ssl["ca-file"]);
  const url = URL.parse(config.url ?? "");
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  const tls = {
    ...(ca ? { ca: [ca] } : {}),
    host,
    ...(isAddress(host) ? {} : { servername: host }),
  };
  return async (work) => {
    let client: Client | undefined;
    const all = async () => {
      const at = { host, port: Number(url?.port || 389) };
      const upgraded = config["start-tls"] && await connectedByStartTls(at, tls, connectTimeout);
      // Loaded by the first who signs in, since most processes need none.
      const ldap = await import("ldapts");
      client = new ldap.Client({
        url: config.url ?? "",
        timeout: operationTimeout,
        connectTimeout,
        ...(url?.protocol === "ldaps:"
          ? { tlsOptions: tls, createSecureConnection: once(connectByTls) }
          : { createConnection: once(upgraded ? () => upgraded : connectPlainly) }),
      });
      return await work(connectionOf(client, ldap));
    };
    try {
      return await withTimeout(all(), checkTimeout, () => new Error("no answer in time"));
    } catch (error) {
      throw unavailable("The directory is unreachable", 5, engineFailure("LDAP", error));
    } finally {
      // A directory that does not answer must not hold up who waits for an answer.
      void client?.unbind().catch(() => {});
    }
  };
}

/**
 * The client would connect again by itself when a connection is lost: without STARTTLS, so that a password could
 * go out in the clear, and without being bound.
 */
function once<F extends (...args: never[]) => unknown>(connect: F): F {
  let used = false;
  return ((...args: Parameters<F>) => {
    if (used) throw new Error("the connection was lost");
    used = true;
    return connect(...args);
  }) as F;
}

type Library = typeof import("ldapts");

/** How directories refuse a name or password: unknown, wrong, locked, without a password, no name at all. */
const refusals = [
  "InvalidCredentialsError",
  "NoSuchObjectError",
  "InvalidDNSyntaxError",
  "InappropriateAuthError",
  "ConstraintViolationError",
  "UnwillingToPerformError",
] as const;

const isAddress = (host: string) => /^[\d.]+$|:/.test(host);

function connectionOf(client: Client, ldap: Library): Connection {
  return {
    async bind(name, password) {
      if (password === "") return false;
      try {
        await client.bind(name, password);
        return true;
      } catch (error) {
        if (refusals.some((kind) => error instanceof ldap[kind])) return false;
        throw error;
      }
    },
    async search({ base, filter, attributes, max, scope = "sub" }) {
      try {
        const timeLimit = operationTimeout / 1_000;
        const searchOptions = { scope, filter, attributes, sizeLimit: max, timeLimit };
        return (await client.search(base, searchOptions)).searchEntries.map(entryOf);
      } catch (error) {
        if (error instanceof ldap.SizeLimitExceededError) return undefined;
        // An entry that may not be read is for some directories one that is not there.
        if (scope === "base" && error instanceof ldap.NoSuchObjectError) return [];
        throw error;
      }
    },
  };
}

type Raw = Awaited<ReturnType<Client["search"]>>["searchEntries"][number];

function entryOf({ dn, ...attributes }: Raw): DirectoryEntry {
  const values = Object.entries(attributes).map(([name, given]) => {
    const all = Array.isArray(given) ? given : [given];
    return [name.toLowerCase(), all.map((one) => String(one))] as const;
  });
  return { dn, values: new Map(values) };
}

const name = Buffer.from("1.3.6.1.4.1.1466.20037");

/** The request to change to TLS, with the message id 1 (RFC 4511, section 4.14). */
const request = Buffer.from([
  ...[0x30, name.length + 7, 0x02, 1, 1, 0x77, name.length + 2, 0x80, name.length],
  ...name,
]);

/** Bytes of an answer to it that are read at most. */
const longestAnswer = 4_096;

/**
 * A connection that has changed to TLS. The client's own way to do so never ends on Deno 2.7, which must be given
 * TLS while the answer is being read. Rejects when the directory refuses, or its certificate is not right.
 */
function connectedByStartTls(
  { host, port }: { host: string; port: number },
  options: ConnectionOptions,
  timeout: number,
): Promise<Socket> {
  return new Promise((done, failed) => {
    const plain = connectPlainly(port, host);
    const fail = (error: Error) => {
      clearTimeout(timer);
      plain.destroy();
      failed(error);
    };
    const timer = setTimeout(() => fail(new Error("STARTTLS: no answer in time")), timeout);
    plain.once("error", fail);
    plain.once("close", () => fail(new Error("STARTTLS: the connection was closed")));
    plain.once("connect", () => plain.write(request));
    let read = Buffer.alloc(0);
    plain.on("data", function take(data: Buffer) {
      read = Buffer.concat([read, data]);
      const code = resultOf(read);
      if (code === undefined && read.length <= longestAnswer) return;
      plain.removeListener("data", take);
      if (code !== 0) return fail(new Error(`STARTTLS is refused: result ${code ?? "unknown"}`));
      const secured = connectByTls({ ...options, socket: plain }, () => {
        clearTimeout(timer);
        plain.removeAllListeners("close");
        secured.removeListener("error", fail);
        done(secured);
      });
      secured.once("error", fail);
      plain.resume();
    });
  });
}

/** The result code of an answer; undefined while it is not whole. */
function resultOf(bytes: Buffer): number | undefined {
  const message = element(bytes, 0);
  if (!message || bytes.length < message.end) return undefined;
  const id = element(bytes, message.start);
  const answer = id && element(bytes, id.end);
  const result = answer && element(bytes, answer.start);
  return result && bytes[result.start];
}

/** Where the content of a BER element begins and ends; undefined while its length is not there. */
function element(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  const short = bytes[at + 1];
  if (short === undefined) return undefined;
  if (short < 0x80) return { start: at + 2, end: at + 2 + short };
  const digits = short & 0x7f;
  if (digits > 4 || bytes.length < at + 2 + digits) return undefined;
  const start = at + 2 + digits;
  return { start, end: start + (digits === 0 ? 0 : bytes.readUIntBE(at + 2, digits)) };
}
