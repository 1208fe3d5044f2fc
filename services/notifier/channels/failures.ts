import type { Deadline } from "#platform/outbound/deadline.ts";
import type { Outcome } from "#platform/outbox/outcome.ts";

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
