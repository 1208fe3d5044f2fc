import { z } from "zod";
import { demands, duration, hostname, port, someTime } from "#platform/config/kinds.ts";

/** How alerts are made from the deliveries of the alert router. */
export const alerts = z.strictObject({
  deduplicate: z.boolean().default(true).describe(
    "Whether repeated deliveries of a firing alert are one alert, which its resolution resolves; off: " +
      "each delivery opens an alert of its own, whose text is its link, as the published interface has it",
  ),
});

const httpUrl = z.url({ protocol: /^https?$/ });

// Refuses only what would break a header or an SMTP envelope; the mail server validates the rest.
const isAddress = (text: string) =>
  /^[^\s\p{Cc}@<>()[\]",;:\\]+@[^\s\p{Cc}@<>()",;:\\]+$/u.test(text);
const addresses = z.string().refine(
  (list) => list.split(",").every((one) => isAddress(one.trim())),
  "must be mail addresses, separated by commas",
);

const email = z.strictObject({
  sender: z.string().refine(isAddress, "must be a mail address").optional()
    .describe("Sender address, and the user name at the mail server"),
  password: z.string().optional().describe("Password at the mail server"),
  host: hostname.optional().describe("Mail server; unset: no mail is sent"),
  port: port.default(587).describe("Port of the mail server"),
  protocol: z.string().default("smtp").transform((text) => text.toLowerCase())
    .pipe(z.enum(["smtp", "smtps"]))
    .describe("`smtp`, with STARTTLS when that is on, or `smtps`, TLS from the first byte"),
  smtp: z.strictObject({
    auth: z.boolean().default(false).describe("Whether to sign in at the mail server"),
    starttls: z.boolean().default(false).describe(
      "Whether the connection must change to TLS; a server that cannot is a failure",
    ),
  }).prefault({}),
  notification: z.strictObject({
    emails: addresses.optional().describe("Recipients, separated by commas"),
  }).prefault({}),
  tls: z.strictObject({
    "ca-file": z.string().optional().describe("PEM file of a private certificate authority"),
  }).prefault({}),
}).superRefine((given, context) => {
  const { demand, idle } = demands(context);
  if (given.protocol === "smtp" && !given.smtp.starttls) {
    idle(given.tls["ca-file"], ["tls", "ca-file"], "without smtp.starttls or the protocol smtps");
  }
  if (!given.host) {
    idle(given.password, ["password"], "without a mail server (email.host)");
    return;
  }
  demand(given.sender, ["sender"], "a mail server is set");
  demand(given.notification.emails, ["notification", "emails"], "a mail server is set");
  if (given.smtp.auth) demand(given.password, ["password"], "smtp.auth is on");
  else idle(given.password, ["password"], "unless smtp.auth is on");
});

/** The prefix `whsec_` means that Base64 follows. */
const signingSecret = z.string().min(1).refine(
  (text) => !text.startsWith("whsec_") || /^whsec_[A-Za-z0-9+/]{4,}={0,2}$/.test(text),
  "must be Base64 after whsec_",
);

const receivers = z.strictObject({
  chat: z.strictObject({
    url: httpUrl.optional().describe("Incoming webhook of the chat provider; unset: no chat"),
    interval: duration("1 s").describe("Shortest time between two messages to the chat webhook"),
  }).prefault({}),
  webhook: z.strictObject({
    url: httpUrl.optional().describe("Address that gets every alert as JSON; unset: none"),
    secret: signingSecret.optional().describe(
      "Key of the signature of webhook messages, `whsec_` with Base64 or any other text; unset: unsigned",
    ),
  }).superRefine(({ url, secret }, context) => {
    if (!url) demands(context).idle(secret, ["secret"], "without webhook.url");
  }).prefault({}),
  email: email.prefault({}),
});

const delivery = z.strictObject({
  timeout: duration("10 s")
    .refine((ms) => ms >= 100 && ms <= 600_000, "must be 100 ms to 10 min")
    .describe("Longest time of one attempt, 100 ms to 10 min"),
  "retry-initial": duration("1 s").describe(
    "Wait before the second attempt; it doubles, with jitter",
  ),
  "retry-max": duration("5 min").describe("Longest wait between two attempts"),
  "retry-budget": duration("24 h").describe(
    "How long a message is tried; then it has failed, and an operator may send it again",
  ),
});

/** Who is notified of alerts, and by which channel. */
export const notifications = z.strictObject({
  enabled: z.boolean().default(false).describe(
    "Whether alerts are announced, the first time from ten minutes before on, later from where it " +
      "was; switching it off leaves the slot, which keeps the server's log: `npm run notifications " +
      "-- slot drop`",
  ),
  message: z.strictObject({
    "downstream-entities-depth": z.int().min(0).max(100).default(1).describe(
      "Levels of affected downstream entities in a message; 0: none",
    ),
  }).prefault({}),
  wal: z.strictObject({
    "advisory-lock-id": z.int().min(0).max(2_147_483_647).default(100).describe(
      "Number of the lock under which the slot is made and dropped",
    ),
    "replication-slot-name": z.string().regex(/^[a-z0-9_]{1,63}$/).optional().describe(
      "Replication slot; unset: named after the instance",
    ),
    "publication-name": z.string().regex(/^[a-z0-9_]{1,63}$/).optional().describe(
      "Publication; unset: named after the instance",
    ),
    heartbeat: someTime("10 s").describe(
      "How often a quiet database is written to, so that its log can go",
    ),
  }).prefault({}),
  receivers: receivers.prefault({}),
  delivery: delivery.prefault({}),
  "group-wait": duration("0 ms").describe(
    "How long further changes on one entity are waited for, to be one message; 0: none",
  ),
  "inhibit-levels": z.int().min(0).max(20).default(0).describe(
    "Upstream levels whose announced open alerts hold back those downstream; 0: none do",
  ),
});
