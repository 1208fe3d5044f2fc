import { z } from "zod";
import type { NotificationChannel } from "#contract/notifications.ts";
import { demands, duration, hostname, port, someTime } from "#platform/config/kinds.ts";

/** How alerts are made from the deliveries of the alert router. */
export const alerts = z.strictObject({
  deduplicate: z.boolean().default(true).describe(
    "Whether repeated deliveries of a firing alert are treated as one alert, which its " +
      "resolution resolves; off: each delivery opens a new alert with its link as text, as in " +
      "the published interface",
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
      "Whether STARTTLS is required; delivery fails if the server does not support it",
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

/** A key for each channel. */
const receivers = z.strictObject(
  {
    chat: z.strictObject({
      url: httpUrl.optional().describe("Incoming webhook of the chat provider; unset: no chat"),
      interval: duration("1 s").describe("Minimum time between two messages to the chat webhook"),
    }).prefault({}),
    webhook: z.strictObject({
      url: httpUrl.optional().describe(
        "Address to which every alert is posted as JSON; unset: none",
      ),
      secret: signingSecret.optional().describe(
        "Key of the signature of webhook messages, `whsec_` with Base64 or any other text; unset: unsigned",
      ),
    }).superRefine(({ url, secret }, context) => {
      if (!url) demands(context).idle(secret, ["secret"], "without webhook.url");
    }).prefault({}),
    email: email.prefault({}),
  } satisfies Record<NotificationChannel, z.ZodType>,
);

const delivery = z.strictObject({
  timeout: duration("10 s")
    .refine((ms) => ms >= 100 && ms <= 600_000, "must be 100 ms to 10 min")
    .describe("Timeout of one attempt, 100 ms to 10 min"),
  "retry-initial": duration("1 s").describe(
    "Wait before the second attempt; it doubles, with jitter",
  ),
  "retry-max": duration("5 min").describe("Maximum wait between two attempts"),
  "retry-budget": duration("24 h").describe(
    "How long delivery of a message is retried; then it has failed, and an operator can send it again",
  ),
});

/** Who is notified of alerts, and by which channel. */
export const notifications = z.strictObject({
  enabled: z.boolean().default(false).describe(
    "Whether alerts are sent to the receivers. At first start, alerts of the last ten minutes " +
      "are included; later, sending resumes where it stopped. Switching it off leaves the " +
      "replication slot, which retains the server's log until `npm run notifications -- slot " +
      "drop`",
  ),
  message: z.strictObject({
    "downstream-entities-depth": z.int().min(0).max(100).default(1).describe(
      "Levels of affected downstream entities listed in a message; 0: none",
    ),
  }).prefault({}),
  wal: z.strictObject({
    "advisory-lock-id": z.int().min(0).max(2_147_483_647).default(100).describe(
      "Number of the advisory lock under which the slot is created and dropped",
    ),
    "replication-slot-name": z.string().regex(/^[a-z0-9_]{1,63}$/).optional().describe(
      "Replication slot; unset: named after the instance",
    ),
    "publication-name": z.string().regex(/^[a-z0-9_]{1,63}$/).optional().describe(
      "Publication; unset: named after the instance",
    ),
    heartbeat: someTime("10 s").describe(
      "How often a heartbeat is written to an idle database, so that it can discard its log",
    ),
  }).prefault({}),
  receivers: receivers.prefault({}),
  delivery: delivery.prefault({}),
  "group-wait": duration("0 ms").describe(
    "How long to wait for further changes on an entity before they are sent as one message; 0: do not wait",
  ),
  "inhibit-levels": z.int().min(0).max(20).default(0).describe(
    "Number of upstream levels whose open alerts delay alerts downstream; 0: none",
  ),
});
