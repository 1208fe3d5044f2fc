import { expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import type { LogFields, Logger } from "#kit/log.ts";
import { loadConfig } from "#platform/config/load.ts";
import { openChannels } from "#services/notifier/channels/all.ts";

const prefix = "NOTIFICATIONS_RECEIVERS_";

function opened(env: Record<string, string>) {
  const lines: [string, LogFields | undefined][] = [];
  const note = (message: string, fields?: LogFields) => void lines.push([message, fields]);
  const log: Logger = { debug: note, info: note, warn: note, error: note, with: () => log };
  const given = Object.entries(env).map(([key, value]) => [prefix + key, value]);
  const config = loadConfig({ env: Object.fromEntries(given) });
  return {
    channels: openChannels({ config, baseUrl: () => "http://a.example", log, clock: systemClock }),
    lines,
  };
}

const mail = {
  EMAIL_HOST: "mail.example",
  EMAIL_SENDER: "alerts@a.example",
  EMAIL_NOTIFICATION_EMAILS: "ada@a.example, bob@a.example",
};

it("openChannels: opens what is configured, with recipients that may be shown", async () => {
  const { channels, lines } = opened({
    ...mail,
    CHAT_URL: "https://user:s3cret@hooks.chat.example/services/T0/B0/s3cret",
    WEBHOOK_URL: "http://sink.example:9099/in?key=s3cret",
    WEBHOOK_SECRET: "whsec_czNjcmV0czNjcmV0",
  });
  expect(channels.map(({ name, recipients, intervalMs }) => [name, recipients, intervalMs]))
    .toEqual([
      ["chat", ["hooks.chat.example"], 1_000],
      ["webhook", ["sink.example:9099"], 0],
      ["email", ["ada@a.example", "bob@a.example"], 0],
    ]);
  expect(lines).toEqual([]);
  await Promise.all(channels.map((channel) => channel.close()));
});

it("openChannels: opens nothing where nothing is configured, and says which keys would", () => {
  const { channels, lines } = opened({});
  expect(channels).toEqual([]);
  expect(JSON.stringify(lines)).toContain("notifications.receivers.chat.url");
});

it("openChannels: warns of a password that travels unencrypted", async () => {
  const auth = { ...mail, EMAIL_SMTP_AUTH: "true", EMAIL_PASSWORD: "s3cret" };
  const plain = opened(auth);
  expect(plain.lines).toHaveLength(1);
  expect(plain.lines[0]![0]).toMatch(/password travels unencrypted/);
  expect(JSON.stringify(plain.lines)).not.toContain("s3cret");
  const safe = opened({ ...auth, EMAIL_SMTP_STARTTLS: "true" });
  expect(safe.lines).toEqual([]);
  await Promise.all([...plain.channels, ...safe.channels].map((channel) => channel.close()));
});

it.each([
  [{ CHAT_URL: "ftp://chat.example/s3cret" }, /receivers\.chat\.url: the value given/],
  [{ WEBHOOK_URL: "s3cret" }, /receivers\.webhook\.url: the value given/],
  [
    { WEBHOOK_SECRET: "whsec_s3cret!" },
    /receivers\.webhook\.secret: the value given must be Base64/,
  ],
])("openChannels: a wrong address or secret is named at start, not shown: %#", (env, problem) => {
  const start = () => opened(env as Record<string, string>);
  expect(start).toThrow(problem);
  expect(start).not.toThrow(/s3cret/);
});

it.each(["50 ms", "30 d", "soon"])(
  "openChannels: a time of an attempt of %s is refused",
  (time) => {
    expect(() => loadConfig({ env: { NOTIFICATIONS_DELIVERY_TIMEOUT: time } }))
      .toThrow(/notifications\.delivery\.timeout/);
  },
);
