import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";
import { emailChannel, emailSettings } from "#services/notifier/channels/email/send.ts";
import { channelConformance, type ChannelLab } from "#test/conformance/channel.ts";
import { alertMessage, notifiedEntity } from "#test/support/alerts/alert-messages.ts";
import { testCertificate } from "#test/support/engines/certificate.ts";
import { readMail } from "#test/support/alerts/mail.ts";
import { eventually } from "#test/support/eventually.ts";
import { type SmtpSink, startSmtpSink } from "#test/support/alerts/smtp-sink.ts";

const sender = "alerts@tributary.example";
const password = "mail-s3cret";
const tls = testCertificate();
const caFile = join(mkdtempSync(join(tmpdir(), "mail-")), "ca.pem");
writeFileSync(caFile, tls.ca);

let sink: SmtpSink;
let plain: SmtpSink;
let overTls: SmtpSink;
beforeAll(async () => {
  const sign = { user: sender, password };
  [sink, plain, overTls] = await Promise.all([
    startSmtpSink({ ...sign, tls, starttls: true }),
    startSmtpSink(),
    startSmtpSink({ ...sign, tls, secure: true }),
  ]);
});
afterAll(() => Promise.all([sink, plain, overTls].map((one) => one.close())));

/** As an operator would set it, on top of a server with STARTTLS and sign-in. */
function open(port: number, env: Record<string, string> = {}, timeoutMs = 15_000) {
  const names: Record<string, string> = {
    HOST: "127.0.0.1",
    PORT: String(port),
    SENDER: sender,
    PASSWORD: password,
    PROTOCOL: "SMTP",
    SMTP_AUTH: "true",
    SMTP_STARTTLS: "true",
    TLS_CA_FILE: caFile,
    NOTIFICATION_EMAILS: "ada@a.example, bob@b.example,ADA@a.example",
    ...env,
  };
  // Settings that would do nothing are refused.
  if (names.SMTP_AUTH !== "true") delete names.PASSWORD;
  if (names.SMTP_STARTTLS !== "true" && !/^smtps$/i.test(names.PROTOCOL!)) delete names.TLS_CA_FILE;
  const prefixed = Object.entries(names).map(([k, v]) => [`NOTIFICATIONS_RECEIVERS_EMAIL_${k}`, v]);
  const config = loadConfig({
    env: { ...Object.fromEntries(prefixed), NOTIFICATIONS_DELIVERY_TIMEOUT: String(timeoutMs) },
  });
  return emailChannel(emailSettings(config)!);
}

let labs = 0;
function lab(at: () => SmtpSink, env: Record<string, string> = {}, mailbox = `box-${++labs}`) {
  const channel = open(at().port, env);
  const recipient = `${mailbox}@a.example`;
  const received = (count: number) =>
    eventually(() => {
      const mails = at().mails.filter(({ to }) => to.includes(recipient));
      expect(mails).toHaveLength(count);
      return mails.map(({ raw }) => {
        const { headers, html } = readMail(raw);
        return { id: headers["message-id"] ?? null, shown: html };
      });
    });
  return Promise.resolve({ channel, recipient, received, close: () => channel.close() });
}

/** A server that does what it likes with each connection. */
async function oddServer(serve: (socket: Socket) => void, timeoutMs = 15_000): Promise<ChannelLab> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  const env = { SMTP_STARTTLS: "false", SMTP_AUTH: "false" };
  const channel = open((server.address() as AddressInfo).port, env, timeoutMs);
  return {
    channel,
    received: () => Promise.resolve([]),
    async close() {
      await channel.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const silent = () => {};
const unavailable = (socket: Socket) => void socket.end("421 4.3.2 hunter2\r\n");
const trickle = (socket: Socket) => {
  const timer = setInterval(() => socket.write("220-wait\r\n"), 50);
  socket.on("close", () => clearInterval(timer));
};
const pause = { kind: "retry", pausesChannel: true } as const;

channelConformance({
  name: "email",
  secrets: [password, "hunter2"],
  unescaped: /<!channel|<@U|<https|<script|\u202e/,
  accepting: () => lab(() => sink),
  silent: (timeoutMs) => oddServer(silent, timeoutMs),
  table: [
    ["a server that takes it: delivered", () => lab(() => sink), { kind: "delivered" }],
    ["450 of a recipient is tried again", () => lab(() => sink, {}, "code-450"), {
      kind: "retry",
      status: 450,
      pausesChannel: false,
    }],
    ["550 of a recipient is refused", () => lab(() => sink, {}, "code-550"), {
      kind: "refused",
      status: 550,
      cause: "the recipient is refused (550)",
    }],
    ["452 after the message is tried again", () => lab(() => sink, {}, "data-452"), {
      kind: "retry",
      status: 452,
      pausesChannel: false,
    }],
    ["554 after the message is refused", () => lab(() => sink, {}, "data-554"), {
      kind: "refused",
      status: 554,
      cause: "the message is refused (554)",
    }],
    ["421 pauses the channel", () => lab(() => sink, {}, "code-421"), pause],
    ["a wrong password pauses", () => lab(() => sink, { PASSWORD: "wr0ng-s3cret" }), {
      ...pause,
      cause: "signing in at the mail server failed (535)",
    }],
    ["no sign-in where one is demanded pauses", () => lab(() => sink, { SMTP_AUTH: "false" }), {
      ...pause,
      status: 530,
    }],
    ["a sign-in that is not offered pauses", () => lab(() => plain, { SMTP_STARTTLS: "false" }), {
      ...pause,
      cause: "signing in at the mail server failed (500)",
    }],
    ["no STARTTLS offered pauses", () => lab(() => plain), {
      ...pause,
      cause: "the mail server offers no STARTTLS, or its certificate is not accepted",
    }],
    ["a certificate of an unknown authority pauses", () => lab(() => sink, { TLS_CA_FILE: "" }), {
      ...pause,
      cause: "the change to TLS failed, as when the server's certificate is not trusted",
    }],
    [
      "smtps with an unknown authority pauses",
      () => lab(() => overTls, { PROTOCOL: "SmtpS", TLS_CA_FILE: "" }),
      { ...pause, cause: "the server's certificate or TLS is not accepted" },
    ],
    ["a greeting that never comes pauses", () => oddServer(silent, 400), pause],
    ["a greeting that never ends pauses", () => oddServer(trickle, 400), {
      ...pause,
      cause: "no answer within 400 ms",
    }],
    ["a reset pauses", () => oddServer((socket) => void socket.destroy()), pause],
    ["421 as greeting pauses", () => oddServer(unavailable), {
      ...pause,
      cause: "the mail server is not available (421 4.3.2)",
    }],
    ["nobody there pauses", async () => {
      const gone = await oddServer(silent);
      await gone.close();
      return { ...gone, channel: open(1), close: () => Promise.resolve() };
    }, { ...pause, cause: "the connection is refused" }],
  ],
});

describe("emailChannel", () => {
  /** The mail that the server got for `recipient`. */
  const mailTo = (recipient: string, at = sink) =>
    eventually(() => {
      const mail = at.mails.find(({ to }) => to.includes(recipient));
      if (!mail) throw new Error(`no mail for ${recipient}`);
      return mail;
    });
  const send = (channel: ReturnType<typeof open>, recipient: string, message = alertMessage()) =>
    channel.send({ deliveryId: "0198:x", recipient, message }, new AbortController().signal);

  it("sends signed in and over TLS, to the one recipient, whatever the case of the protocol", async () => {
    const channel = open(sink.port);
    expect(channel.recipients).toEqual(["ADA@a.example", "bob@b.example"]);
    expect(await send(channel, "bob@b.example")).toEqual({ kind: "delivered", status: 250 });
    const mail = await mailTo("bob@b.example");
    expect(mail).toMatchObject({ from: sender, to: ["bob@b.example"], user: sender, secure: true });
    expect(readMail(mail.raw).headers).toMatchObject({
      from: sender,
      to: "bob@b.example",
      subject: "Tributary - FAILED_DQ_TEST Alert",
      "message-id": "<0198-x@tributary.example>",
      "auto-submitted": "auto-generated",
    });
    await channel.close();
  });

  it("sends over TLS from the first byte with smtps", async () => {
    const channel = open(overTls.port, { PROTOCOL: "SMTPS", SMTP_STARTTLS: "false" });
    expect(await send(channel, "ada@a.example")).toMatchObject({ kind: "delivered" });
    expect(await mailTo("ada@a.example", overTls)).toMatchObject({ user: sender, secure: true });
    await channel.close();
  });

  it("keeps its connections, and goes on after refusals", async () => {
    const channel = open(sink.port);
    const before = sink.connections();
    for (const name of ["a", "code-550", "b", "code-450", "c"]) {
      await send(channel, `${name}@a.example`);
    }
    // The first may not be free again when the second mail is there.
    expect(sink.connections() - before).toBeLessThanOrEqual(2);
    await channel.close();
  });

  it("says the same in HTML and in plain text, with links to the alerts", async () => {
    const channel = open(sink.port);
    const message = alertMessage({
      event_type: "REOPENED",
      updated_by: "eve <e&e>",
      downstream: [notifiedEntity({ id: 20, name: "<report>", type: "DASHBOARD", owners: [] })],
    });
    await send(channel, "both@a.example", message);
    const { text, html } = readMail((await mailTo("both@a.example")).raw);
    expect(text).toBe(
      "Failed data quality test run\n\nReopened by eve <e&e>\n\n" +
        "Alert: Failed data quality test run (FAILED_DQ_TEST)\n" +
        "Data entity: Table orders (id 17)\n  http://localhost:8080/dataentities/17/alerts\n" +
        "Data source: warehouse\nNamespace: sales\nOwners: ada (Owner), bob\n" +
        "Time: 2026-01-01T00:00:00.000Z\n\nrows: 0 of 100\n\nAffected data entities\n" +
        "- Dashboard <report> (id 20)\n  http://localhost:8080/dataentities/20/alerts\n\n",
    );
    expect(html).toContain(
      '<a href="http://localhost:8080/dataentities/17/alerts">Table orders (id 17)</a>',
    );
    expect(html).toContain("<p>Reopened by eve &lt;e&amp;e&gt;</p>");
    expect(html).toContain("Dashboard &lt;report&gt; (id 20)");
    expect(html).toContain('<tr><th align="left">Owners</th><td>ada (Owner), bob</td></tr>');
    await channel.close();
  });
});
