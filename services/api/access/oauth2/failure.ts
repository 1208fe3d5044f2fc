import { messageOf } from "#kit/errors.ts";
import type { SignInNotice } from "#services/api/access/sign-in/page.ts";

/** Why nobody was signed in by a provider; each is a label of a metric. */
type FailureReason =
  | "denied"
  | "expired"
  | "other_browser"
  | "mixed_up"
  | "rejected"
  | "not_allowed"
  | "no_name"
  | "unknown_provider";

/** What people read of it. */
export const notices: Record<FailureReason, SignInNotice> = {
  denied: "denied",
  expired: "expired",
  other_browser: "expired",
  mixed_up: "rejected",
  rejected: "rejected",
  not_allowed: "forbidden",
  no_name: "forbidden",
  unknown_provider: "denied",
};

/** Nobody is signed in. The message is for the log and for auditors, and holds no secret. */
export class SignInFailure extends Error {
  constructor(readonly reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SignInFailure";
  }
}

/** A provider cannot be reached, is late, or fails itself. */
export class ProviderDown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ProviderDown";
  }
}

/** The failure of a provider in the causes of an error, since the client library wraps what it does not know. */
export function downIn(error: unknown): ProviderDown | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof ProviderDown) return at;
    if ("code" in at && at.code === "OAUTH_TIMEOUT") return new ProviderDown(messageOf(at), at);
  }
  return undefined;
}
