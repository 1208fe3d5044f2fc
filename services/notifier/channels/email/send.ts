import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import type { Outcome } from "#platform/outbox/queue.ts";
import {
  type Channel,
  type ChannelModule,
  deadlineOutcome,
  type OutgoingMessage,
} from "#services/notifier/channels/channel.ts";
import { connectionCause, deadline } from "#platform/http/outbound.ts";
import { readAuthority } from "#platform/config/authority.ts";
import { baseUrlOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Texts, textsIn } from "#platform/messages/texts.ts";
import { renderMail } from "#services/notifier/channels/email/render.ts";

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

interface EmailSettings {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** The connection must change to TLS. */
  startTls: boolean;
  /** Signs in as the sender; null: does not. */
  password: string | null;
  sender: string;
  recipients: string[];
  /** PEM of a private authority; null: those that the runtime trusts. */
  ca: string | null;
  timeoutMs: number;
  /** Start of every link. */
  baseUrl: () => string;
  texts: Texts;
}

/** The settings of mail; null when no server is configured. Throws when the authority is not read. */
export function emailSettings(
  config: Config,
  baseUrl = () => baseUrlOf(config),
): EmailSettings | null {
  const { notifications } = config;
  const email = notifications.receivers.email;
  if (!email.host) return null;
  return {
    host: email.host,
    port: email.port,
    secure: email.protocol === "smtps",
    startTls: email.smtp.starttls,
    password: email.smtp.auth ? email.password ?? "" : null,
    sender: email.sender ?? "",
    recipients: recipientsOf(email.notification.emails ?? ""),
    ca: readAuthority("notifications.receivers.email.tls.ca-file", email.tls["ca-file"]) ?? null,
    timeoutMs: notifications.delivery.timeout,
    baseUrl,
    texts: textsIn(config.catalog.language),
  };
}

/** The addresses of a list, each once whatever its case. */
function recipientsOf(list: string): string[] {
  const addresses = list.split(",").map((address) => address.trim()).filter((a) => a !== "");
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

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
function mailOutcome(error: unknown): Outcome {
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

interface TlsTarget {
  host: string;
  port: number;
  /** PEM of a private authority. */
  ca: string | null;
  /** Milliseconds for all addresses together. */
  timeoutMs: number;
}

/**
 * Connects with TLS to the first address of the host that answers. The runtime's own choice among
 * several addresses never ends when the first is refused.
 */
async function openTls(target: TlsTarget): Promise<TLSSocket> {
  const { host, timeoutMs } = target;
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
  let failure: unknown = new Error(`ENOTFOUND ${host}`);
  for (const { address } of found) {
    try {
      return await handshake(target, address, timeoutMs / found.length);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function handshake(
  { host, port, ca }: TlsTarget,
  address: string,
  ms: number,
): Promise<TLSSocket> {
  return new Promise((done, fail) => {
    const name = isIP(host) ? {} : { servername: host };
    const socket = connect({ host: address, port, ...name, ...(ca === null ? {} : { ca }) });
    const refused = (error: Error) => {
      clearTimeout(timer);
      // Errors after it was abandoned are ignored.
      socket.on("error", () => {}).destroy();
      fail(error);
    };
    const timer = setTimeout(() => refused(new Error("the connection timed out")), ms);
    socket.once("error", refused).once("secureConnect", () => {
      clearTimeout(timer);
      socket.off("error", refused);
      done(socket);
    });
  });
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
