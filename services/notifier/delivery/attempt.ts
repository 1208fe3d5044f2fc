import { withTimeout } from "#kit/retry.ts";
import type { Channel, Outcome } from "#services/notifier/channels/channel.ts";
import type { ClaimedDelivery } from "./claims.ts";
import type { Unsent } from "./outcome.ts";

/** Milliseconds that a channel may take beyond the configured timeout before it is not waited for. */
const graceMs = 1_000;

/** One attempt over a channel; never throws, and ends soon after `timeoutMs` whatever the channel does. */
export async function attempt(
  channel: Channel,
  { deliveryId, recipient, message, sendBefore }: ClaimedDelivery,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<Outcome | Unsent> {
  if (performance.now() > sendBefore) return { kind: "unsent", cause: "the process was delayed" };
  if (message === null) return { kind: "refused", cause: "its message is no longer stored" };
  const late = new AbortController();
  const signal = AbortSignal.any([stopping, late.signal]);
  try {
    const sent = channel.send({ deliveryId, recipient, message }, signal);
    return await withTimeout(sent, timeoutMs + graceMs, () => new Late());
  } catch (error) {
    late.abort();
    if (error instanceof Late) {
      return { kind: "retry", cause: `no end within ${timeoutMs} ms`, pausesChannel: true };
    }
    // The text of an unexpected error may hold an address or a secret.
    const name = error instanceof Error ? error.name : typeof error;
    return { kind: "retry", cause: `the channel broke (${name})`, pausesChannel: false };
  }
}

class Late extends Error {}
