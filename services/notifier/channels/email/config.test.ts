import { describe, expect, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";
import { emailSettings } from "#services/notifier/channels/email/send.ts";

describe("emailSettings", () => {
  const configured = (env: Record<string, string>) => () =>
    loadConfig({
      env: Object.fromEntries(
        Object.entries(env).map(([k, v]) => [`NOTIFICATIONS_RECEIVERS_EMAIL_${k}`, v]),
      ),
    });

  it.each([
    [{ HOST: "m", PROTOCOL: "imap" }, /email\.protocol: "imap"/],
    [{ HOST: "m" }, /email\.sender: nothing is required[^]*email\.notification\.emails/],
    [{ HOST: "m", SENDER: "a@b.c\r\nBcc: x@y.z", NOTIFICATION_EMAILS: "a@b.c" }, /email\.sender/],
    [{ HOST: "m", SENDER: "a@b.c", NOTIFICATION_EMAILS: "a@b.c,b" }, /emails: "a@b.c,b" must be/],
    [
      { HOST: "m", SENDER: "a@b.c", NOTIFICATION_EMAILS: "a@b.c", SMTP_AUTH: "true" },
      /email\.password: the value given is required/,
    ],
  ])("refuses %j at start", (env, problem) => {
    expect(configured(env as Record<string, string>)).toThrow(problem);
  });

  it("names the key of an authority that cannot be read", () => {
    const config = configured({
      HOST: "m",
      SENDER: "a@b.c",
      NOTIFICATION_EMAILS: "a@b.c",
      SMTP_STARTTLS: "true",
      TLS_CA_FILE: "/nowhere.pem",
    })();
    expect(() => emailSettings(config)).toThrow(
      /notifications\.receivers\.email\.tls\.ca-file: \/nowhere\.pem/,
    );
  });
});
