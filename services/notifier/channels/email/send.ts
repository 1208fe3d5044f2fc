import type { Outcome } from "#platform/outbox/outcome.ts";
import type {
  Channel,
  ChannelModule,
  OutgoingMessage,
} from "#services/notifier/channels/channel.ts";
import { deadline } from "#platform/outbound/deadline.ts";
import { type EmailSettings, emailSettings } from "#services/notifier/channels/email/config.ts";
import { mailOutcome } from "#services/notifier/channels/email/outcome.ts";
import { renderMail } from "#services/notifier/channels/email/render.ts";
import { openTls } from "#services/notifier/channels/email/socket.ts";
import { deadlineOutcome } from "#services/notifier/channels/failures.ts";

const connections = 4;
/** Shorter than servers wait, so that it is we who end idle connections. */
const idleMs = 20_000;

/** Mail over a pool of connections, one message and recipient at a time. */
export function emailChannel(settings: EmailSettings): Channel {
  const transport = openTransport(settings);
  // What it fails with, each mail fails with.
  transport.catch(() => {});
  const { sender, timeoutMs, recipients, baseUrl, texts } = settings;
  async function send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<Outcome> {
    const until = deadline(timeoutMs, signal);
    try {
      await (await transport).sendMail({
        ...renderMail(outgoing.message, { baseUrl: baseUrl(), texts }),
        from: sender,
        to: { name: "", address: outgoing.recipient },
        messageId: messageId(outgoing.deliveryId, sender),
        headers: { "Auto-Submitted": "auto-generated" },
        signal: until.signal,
      });
      return { kind: "delivered", status: 250 };
    } catch (error) {
      return deadlineOutcome(until, timeoutMs) ?? mailOutcome(error);
    } finally {
      until.clear();
    }
  }
  return {
    name: "email",
    recipients,
    intervalMs: 0,
    concurrency: connections,
    send,
    close: async () => (await transport).close({ force: true }),
  };
}

export const email: ChannelModule = {
  key: "email.host",
  open({ config, baseUrl, log }) {
    const settings = emailSettings(config, baseUrl);
    if (!settings) return null;
    if (settings.password && !settings.secure && !settings.startTls) {
      log.warn("the mail password travels unencrypted: switch smtp.starttls on, or use smtps");
    }
    return emailChannel(settings);
  },
};

/** The library is loaded only where mail is configured. */
async function openTransport(settings: EmailSettings) {
  const { createTransport } = await import("nodemailer");
  const { host, port, secure, startTls, password, sender, ca, timeoutMs } = settings;
  // Later than the deadline of an attempt, which reports why it ended.
  const backstopMs = timeoutMs + 1_000;
  const transport = createTransport({
    pool: true,
    maxConnections: connections,
    maxRequeues: 1,
    idleTimeout: idleMs,
    host,
    port,
    secure,
    requireTLS: startTls,
    ignoreTLS: !startTls,
    // Without `forceAuth` a server that offers no sign-in would get the mail without one.
    ...(password === null ? {} : { auth: { user: sender, pass: password }, forceAuth: true }),
    tls: ca === null ? {} : { ca },
    connectionTimeout: backstopMs,
    greetingTimeout: backstopMs,
    socketTimeout: backstopMs,
    dnsTimeout: backstopMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  if (secure) {
    transport.getSocket = (_, done) =>
      void openTls(settings).then((connection) => done(null, { connection, secured: true }), done);
  }
  return transport;
}

/** The same for each attempt, so that mailboxes can detect duplicates. */
function messageId(deliveryId: string, sender: string): string {
  const domain = sender.slice(sender.lastIndexOf("@") + 1);
  return `<${deliveryId.replaceAll(/[^A-Za-z0-9._-]/g, "-")}@${domain}>`;
}
