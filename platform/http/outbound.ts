import { joinBytes } from "#kit/bytes.ts";

/** Whom this program calls: user name and password of an address travel as a header. */
export interface Target {
  url: URL;
  headers: Record<string, string>;
}

export function targetOf(address: string): Target {
  const url = new URL(address);
  const headers: Record<string, string> = {};
  if (url.username !== "" || url.password !== "") {
    const [user, password] = [url.username, url.password].map(decodeURIComponent);
    const bytes = new TextEncoder().encode(`${user}:${password}`);
    headers.authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
    url.username = url.password = "";
  }
  return { url, headers };
}

/** An answer of more bytes than are taken. */
export class TooLarge extends Error {
  constructor(max: number) {
    super(`its answer is larger than ${max} bytes`);
  }
}

/** The body of an answer, whole. Throws `TooLarge` as soon as it is larger than `max` bytes. */
export async function readUpTo(answer: Response, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > max) throw new TooLarge(max);
    chunks.push(chunk);
  }
  return joinBytes(chunks, size);
}

const connectionCauses: [pattern: RegExp, cause: string][] = [
  [/dns error|failed to lookup|ENOTFOUND|EAI_AGAIN|EDNS/i, "the host name is not found"],
  [/certificate|tls|ssl|handshake/i, "the server's certificate or TLS is not accepted"],
  // All that the runtime says when the change to TLS fails.
  [/write UNKNOWN/, "the change to TLS failed, as when the server's certificate is not trusted"],
  [/refused/i, "the connection is refused"],
  [/reset|broken pipe|closed|hang up|incomplete|\beof\b|unexpected end/i, "the connection broke"],
  [/unreachable|EHOSTUNREACH|ENETUNREACH/i, "the host is not reached"],
  [/timed? ?out|never received/i, "the server took too long to answer"],
];

/**
 * Words for a connection that could not be made or kept. Always one of a few fixed texts: what
 * libraries say holds addresses, and so secrets.
 */
export function connectionCause(error: unknown): string {
  const said = wordsOf(error, 4);
  return connectionCauses.find(([pattern]) => pattern.test(said))?.[1] ?? "the connection failed";
}

function wordsOf(error: unknown, depth: number): string {
  if (!(error instanceof Error) || depth === 0) return "";
  const code = "code" in error ? String(error.code) : "";
  // Addresses may hold any word.
  const message = error.message.replaceAll(/\(?https?:\/\/\S*/gi, " ");
  return `${code} ${message} ${wordsOf(error.cause, depth - 1)}`;
}

const longestRequestedMs = 3_600_000;

/** `Retry-After` in milliseconds, at most an hour: seconds or an HTTP date; 0 when it says nothing. */
export function retryAfter(value: string | null, now: number): number {
  const text = value?.trim() ?? "";
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return ms > 0 ? Math.min(Math.ceil(ms), longestRequestedMs) : 0;
}

/** The end of one attempt: it timed out, or was aborted by the caller. */
export interface Deadline {
  /** Aborts at either. */
  readonly signal: AbortSignal;
  /** Why it aborted; null while it has not. */
  ended(): "time" | "stopped" | null;
  /** Forgets the timer and the listener; to be called when the attempt is over. */
  clear(): void;
}

/** A deadline `ms` milliseconds from now that also ends with `outer`. */
export function deadline(ms: number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  let why: "time" | "stopped" | null = null;
  const end = (reason: "time" | "stopped") => {
    why ??= reason;
    controller.abort();
  };
  const stopped = () => end("stopped");
  const timer = setTimeout(() => end("time"), ms);
  outer.addEventListener("abort", stopped, { once: true });
  if (outer.aborted) stopped();
  return {
    signal: controller.signal,
    ended: () => why,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener("abort", stopped);
    },
  };
}
