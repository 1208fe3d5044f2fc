import type { Deadline } from "#services/notifier/channels/deadline.ts";
import type { Outcome } from "#services/notifier/channels/channel.ts";

/** An attempt that ran into its deadline; null when it did not. */
export function deadlineOutcome(deadline: Deadline, timeoutMs: number): Outcome | null {
  switch (deadline.ended()) {
    case "time":
      return { kind: "retry", cause: `no answer within ${timeoutMs} ms`, pausesChannel: true };
    case "stopped":
      return { kind: "retry", cause: "stopped while it was being sent", pausesChannel: false };
    case null:
      return null;
  }
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
