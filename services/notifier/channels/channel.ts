import type { AlertMessage, NotificationChannel } from "#contract/notifications.ts";
import type { Context } from "#platform/context.ts";
import {
  connectionCause,
  type Deadline,
  deadline,
  retryAfter,
  type Target,
  targetOf,
} from "#platform/http/outbound.ts";
import type { Outcome } from "#platform/outbox/queue.ts";

/** One message to one recipient. */
export interface OutgoingMessage {
  /** The same over all attempts, so that a receiver can detect duplicates. */
  deliveryId: string;
  /** One of the channel's `recipients`. */
  recipient: string;
  message: AlertMessage;
}

/** A channel of notifications. Sending never throws; a failure is an `Outcome`. */
export interface Channel {
  readonly name: NotificationChannel;
  /** Whom it reaches, in words that may be shown: a host name, a mail address. */
  readonly recipients: readonly string[];
  /** Shortest time between two sends over all replicas, milliseconds; 0: none. */
  readonly intervalMs: number;
  /** Attempts at once. */
  readonly concurrency: number;
  /** One attempt; ends within the configured timeout, or soon after `signal` aborts. */
  send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** A kind of channel: all that a folder of channels exports to the others. */
export interface ChannelModule {
  /** The key that configures it, below `notifications.receivers`. */
  readonly key: string;
  /** Opens it; null where it is not configured. Throws when a configured file cannot be read. */
  open(context: Pick<Context, "config" | "baseUrl" | "clock" | "log">): Channel | null;
}

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

/** Where a channel posts to. */
export interface HttpTarget extends Target {
  /** Host and port; all of the address that may be shown. */
  host: string;
  /** Milliseconds of one attempt: connection, headers and body. */
  timeoutMs: number;
}

export function httpTarget(address: string, timeoutMs: number): HttpTarget {
  const target = targetOf(address);
  return { ...target, host: target.url.host, timeoutMs };
}

/** Posts JSON once. Redirects are not followed; of the answer only status and headers count. */
export async function postJson(
  target: HttpTarget,
  body: string,
  headers: Record<string, string>,
  outer: AbortSignal,
): Promise<Outcome> {
  const until = deadline(target.timeoutMs, outer);
  try {
    const response = await fetch(target.url, {
      method: "POST",
      redirect: "manual",
      headers: { ...target.headers, "content-type": "application/json", ...headers },
      // Text or bytes the runtime would send a second time, unasked, when the connection breaks.
      body: new Blob([body]),
      signal: until.signal,
    });
    await discard(response, until.signal);
    return statusOutcome(response.status, response.headers, Date.now());
  } catch (error) {
    return deadlineOutcome(until, target.timeoutMs) ??
      { kind: "retry", cause: connectionCause(error), pausesChannel: true };
  } finally {
    until.clear();
  }
}

/** Larger or slower answers cost their connection; smaller ones are read so that it can be used again. */
const maxDrainBytes = 64 * 1_024;
const maxDrainMs = 250;

/** The status has decided by now, so nothing that the body does is a failure. */
async function discard(response: Response, signal: AbortSignal): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const until = deadline(maxDrainMs, signal);
  const cancel = () => void reader.cancel().catch(() => {});
  until.signal.addEventListener("abort", cancel, { once: true });
  try {
    for (let size = 0; size <= maxDrainBytes && until.ended() === null;) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.length;
    }
    cancel();
  } catch {
    // The receiver broke off after its answer.
  } finally {
    until.clear();
  }
}

/** What a status says of an attempt: any 2xx is delivered, redirects are not followed. */
function statusOutcome(status: number, headers: Headers, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: "delivered", status };
  if (status === 429 || status >= 500) {
    const afterMs = retryAfter(headers.get("retry-after"), now);
    const cause = status === 429 ? "rate limited (429)" : `the receiver failed (${status})`;
    return { kind: "retry", status, cause, pausesChannel: true, ...(afterMs ? { afterMs } : {}) };
  }
  if (status === 408 || status === 425) {
    return { kind: "retry", status, cause: `asked to retry (${status})`, pausesChannel: false };
  }
  if (status >= 300 && status < 400) {
    const cause = `redirected (${status}); configure the address that it leads to`;
    return { kind: "refused", status, cause };
  }
  return { kind: "refused", status, cause: `not taken (${status})` };
}
