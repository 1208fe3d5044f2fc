import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testCertificate } from "#test/support/engines/certificate.ts";
import { type SmtpSink, startSmtpSink } from "#test/support/alerts/smtp-sink.ts";
import { permissions } from "../../../../tools/services.mjs";

const tls = testCertificate();
const caFile = join(mkdtempSync(join(tmpdir(), "authority-")), "ca.pem");
writeFileSync(caFile, tls.ca);

let starttls: SmtpSink;
let smtps: SmtpSink;
beforeAll(async () => {
  [starttls, smtps] = await Promise.all([
    startSmtpSink({ tls, starttls: true }),
    startSmtpSink({ tls, secure: true }),
  ]);
});
afterAll(() => Promise.all([starttls.close(), smtps.close()]));

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Sends a mail from a process with the permissions of the notifier. */
async function sendWith(env: Record<string, string>): Promise<{ kind: string }> {
  const program = ["run", ...permissions("notifier"), "test/support/alerts/send-mail.ts"];
  const prefixed = Object.entries(env).map(([k, v]) => [`NOTIFICATIONS_RECEIVERS_EMAIL_${k}`, v]);
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: root,
    env: { ...process.env, ...Object.fromEntries(prefixed), DENO_CERT: caFile },
  });
  return JSON.parse(stdout);
}

it.each([
  ["STARTTLS", () => ({ PORT: String(starttls.port), SMTP_STARTTLS: "true" })],
  ["smtps", () => ({ PORT: String(smtps.port), PROTOCOL: "smtps" })],
])("email over %s: an authority given to the runtime by DENO_CERT is trusted", async (_, env) => {
  const outcome = await sendWith({
    HOST: "localhost",
    SENDER: "alerts@a.example",
    NOTIFICATION_EMAILS: "ada@a.example",
    ...env(),
  });
  expect(outcome).toEqual({ kind: "delivered", status: 250 });
});
