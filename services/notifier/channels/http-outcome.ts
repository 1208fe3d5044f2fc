import { retryAfter } from "#platform/outbound/retry-after.ts";
import type { Outcome } from "#platform/outbox/outcome.ts";

/** What a status says of an attempt: any 2xx is delivered, redirects are not followed. */
export function statusOutcome(status: number, headers: Headers, now: number): Outcome {
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
