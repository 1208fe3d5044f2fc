import type { Outcome } from "#platform/outbox/outcome.ts";
import { connectionCause } from "#platform/http/outbound.ts";

/** The library's error of a failed attempt. */
interface MailFailure {
  code?: unknown;
  /** The server's reply code. */
  responseCode?: unknown;
  /** The server's whole reply. */
  response?: unknown;
  /** The SMTP command, or the phase, that failed. */
  command?: unknown;
}

const subjects = new Map(Object.entries({
  "MAIL FROM": "the sender",
  "RCPT TO": "the recipient",
  DATA: "the message",
}));

/** What a failed attempt means: replies 4yz are worth another, 5yz refuse the message. */
export function mailOutcome(error: unknown): Outcome {
  const { code, responseCode, response, command }: MailFailure = Object(error);
  const status = typeof responseCode === "number" ? responseCode : undefined;
  const reply = replyCode(status, response);
  const all = (cause: string): Outcome => ({ kind: "retry", status, cause, pausesChannel: true });
  if (code === "EAUTH") return all(`signing in at the mail server failed${reply}`);
  if (status !== undefined && signInReplies.has(status)) {
    return all(`the mail server demands signing in or TLS${reply}`);
  }
  if (code === "ETLS") {
    return all("the mail server offers no STARTTLS, or its certificate is not accepted");
  }
  if (status === 421) return all(`the mail server is not available${reply}`);
  if (code === "EENVELOPE" || code === "EMESSAGE") {
    const subject = subjects.get(String(command)) ?? "the message";
    if (status === undefined) return { kind: "refused", cause: `${subject} cannot be sent` };
    if (status >= 500) return { kind: "refused", status, cause: `${subject} is refused${reply}` };
    return {
      kind: "retry",
      status,
      cause: `${subject} is not taken now${reply}`,
      pausesChannel: false,
    };
  }
  if (status !== undefined) return all(`the mail server answered unexpectedly${reply}`);
  return all(connectionCause(error));
}

/** Replies that ask for a sign-in, another one, or TLS, whatever the command was. */
const signInReplies = new Set([530, 534, 535, 538]);

/** Numbers alone: a server's words may repeat addresses and more. */
function replyCode(status: number | undefined, response: unknown): string {
  if (status === undefined) return "";
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? ""))?.[1];
  return ` (${enhanced ? `${status} ${enhanced}` : status})`;
}
