import { createHmac } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { Logger } from "#kit/log.ts";
import { silentLogger } from "#kit/log.ts";
import { EventIntake, eventQueue } from "#services/api/features/messages/events/intake.ts";
import type { ChatEventCounter } from "#platform/chat/port.ts";
import { messageRoutes } from "#services/api/features/messages/routes.ts";
import { collaboration } from "#test/support/chat/collaboration.ts";
import { token } from "#test/support/chat/chat-provider.ts";
import { testApi } from "#test/support/http/api.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { reply, seedThread, threadId } from "#test/support/chat/events.ts";

const c = collaboration();
const path = "/api/chat/events";
let entity: number;
beforeAll(async () => void (entity = await seedEntity(c.t.db)));
beforeEach(() => seedThread(c.t.db, entity));

const queued = async () => {
  const rows = await c.t.db.query<{ event_id: string }>("SELECT event_id FROM chat_event");
  return rows.map(({ event_id }) => event_id);
};
const post = (body: unknown) => c.api.post(path, body);

describe("events of the provider", () => {
  it("begin with a challenge, which is said back", async () => {
    const { status, json } = await post({ type: "url_verification", challenge: "3eZbrw1a" });
    expect([status, json]).toEqual([200, { challenge: "3eZbrw1a" }]);
  });

  it("are queued once each when they are of a known thread", async () => {
    for (const _ of [1, 2]) {
      const { status, text } = await post(reply("1800000001.000001"));
      expect([status, text]).toEqual([200, ""]);
    }
    await post(reply("1800000002.000001"));
    expect(await queued()).toEqual(["E-1800000001.000001", "E-1800000002.000001"]);
  });

  it("need no id", async () => {
    const { event_id: _, ...body } = reply("1800000001.000001");
    for (const _ of [1, 2]) expect((await post(body)).status).toBe(200);
    expect(await queued()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it.each([
    ["of an unknown thread", { thread_ts: "1700000000.000001" }],
    ["of an unknown channel", { channel: "C404" }],
    ["of no thread", { thread_ts: undefined }],
    ["of the beginning of a thread", { ts: threadId }],
    ["of another type", { type: "reaction_added" }],
    ["with another subtype", { subtype: "bot_message" }],
    ["whose time is none", { ts: "soon" }],
    ["without a text", { text: undefined }],
    ["whose members are of other types", { text: {}, channel: 7, ts: [], thread_ts: null }],
  ])("are passed over when they are %s", async (_, more) => {
    const { status, text } = await post(reply("1800000001.000001", more));
    expect([status, text]).toEqual([200, ""]);
    expect(await queued()).toEqual([]);
  });

  it("of a thread that may be the one just being sent are stored", async () => {
    const ofUnknown = reply("1800000001.000001", { thread_ts: "1800000000.900000" });
    await c.post(entity, "on its way");
    await post(ofUnknown);
    expect(await queued()).toEqual([]);
    await c.t.db.query("UPDATE message SET uncertain = true WHERE state = 'PENDING_SEND'");
    await post(ofUnknown);
    expect(await queued()).toHaveLength(1);
  });

  it.each([
    ["no event", { type: "event_callback" }],
    ["nothing", {}],
    ["an event that is none", { event: "message" }],
  ])("with %s are 400, without a body", async (_, body) => {
    const { status, text } = await post(body);
    expect([status, text]).toEqual([400, ""]);
  });

  it.each([
    ["no JSON", "{", 400],
    ["a list", "[]", 400],
    ["null", "null", 400],
    ["a challenge that is no text", '{"type":"url_verification","challenge":{}}', 400],
    ["too much nesting", `${"[".repeat(200)}${"]".repeat(200)}`, 400],
    ["a large body", `{"event":{"text":"${"x".repeat(600_000)}"}}`, 413],
  ])("of %s are refused", async (_, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect(await queued()).toEqual([]);
  });

  it("keep texts that PostgreSQL cannot", async () => {
    const { status } = await post(reply("1800000001.000001", { text: "a\0b\ud800" }));
    expect(status).toBe(200);
    const [row] = await c.t.db.query<{ text: string }>("SELECT text FROM chat_event");
    expect(row!.text).toBe("a b\ufffd");
  });

  it("are put off when too many wait", async () => {
    await c.t.db.query(
      `INSERT INTO chat_event (event_id, channel_id, thread_id, provider_id, text)
       SELECT n::text, 'C1', $1, n || '.000000', '' FROM generate_series(1, 20000) n`,
      [threadId],
    );
    const { status, headers } = await post(reply("1800000001.000001"));
    expect([status, headers.get("retry-after")]).toEqual([503, "60"]);
    const stranger = reply("1800000001.000001", { thread_ts: "1700000000.000001" });
    expect((await post(stranger)).status).toBe(200);
  });
});

describe("with a signing secret", () => {
  const secret = "8f742231b10e8888abcd99yyyzzz85a5";
  const now = 1_800_000_000_000;
  const signed = (body: string, at = now, key = secret) => {
    const timestamp = String(Math.floor(at / 1_000));
    const hmac = createHmac("sha256", key).update(`v0:${timestamp}:${body}`).digest("hex");
    return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${hmac}` };
  };
  const body = JSON.stringify(reply("1800000001.000001"));
  const clockAndConfig = () => {
    const given = { enabled: true, "chat-oauth-token": token, "signing-secret": secret };
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    return { config: Config.parse({ datacollaboration: given }), clock };
  };
  const api = () => {
    const context: Context = { ...c.context, ...clockAndConfig() };
    return testApi(messageRoutes(context), { ...context, clock: c.context.clock });
  };

  it("events with its signature are taken", async () => {
    expect((await api().send("POST", path, body, signed(body))).status).toBe(200);
    expect(await queued()).toHaveLength(1);
    const challenge = '{"type":"url_verification","challenge":"x"}';
    const { json } = await api().send("POST", path, challenge, signed(challenge));
    expect(json).toEqual({ challenge: "x" });
  });

  it("a body without a signature is refused unread", async () => {
    let read = 0;
    const unread = new ReadableStream<Uint8Array>({
      pull(controller) {
        read++;
        controller.enqueue(new Uint8Array(65_536));
      },
    }, { highWaterMark: 0 });
    const intake = new EventIntake(
      { ...c.context, ...clockAndConfig() },
      { event: () => {} } as unknown as ChatEventCounter,
    );
    const old = signed(body, now - 600_000);
    const request = new Request("http://localhost/", {
      method: "POST",
      body: unread,
      duplex: "half",
    } as RequestInit);
    await expect(intake.take(request)).rejects.toMatchObject({ status: 401 });
    expect(read).toBe(0);
    for (const headers of [old, { ...signed(body), "x-slack-signature": "v0=x" }]) {
      const request = new Request("http://localhost/", { method: "POST", headers });
      await expect(intake.take(request)).rejects.toMatchObject({ status: 401 });
    }
  });

  it("slow events of strangers keep those of the provider from nothing", async () => {
    const intake = new EventIntake(
      { ...c.context, ...clockAndConfig() },
      { event: () => {} } as unknown as ChatEventCounter,
    );
    const slow = () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array(20_000)),
      });
      const init = { method: "POST", body, duplex: "half", headers: signed("another body") };
      return new Request("http://localhost/", init as RequestInit);
    };
    const max = eventQueue.concurrencyPerKey + eventQueue.maxWaitingPerKey;
    const flood = Array.from(
      { length: max + 3 },
      () => intake.take(slow(), "192.0.2.66").then(() => 200, ({ status }) => status as number),
    );
    const good = new Request("http://localhost/", { method: "POST", body, headers: signed(body) });
    expect(await intake.take(good, "198.51.100.1")).toBe("taken");
    const statuses = await Promise.all(flood);
    expect(statuses.filter((status) => status === 408).length)
      .toBeGreaterThanOrEqual(eventQueue.concurrencyPerKey);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
    expect(statuses).not.toContain(200);
  });

  it("the signature is that of the provider's own example", async () => {
    const { isSigned } = await import("./intake.ts");
    const example = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow" +
      "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner" +
      "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands" +
      "%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
      "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const headers = new Headers({
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    });
    const bytes = new TextEncoder().encode(example);
    expect(isSigned(headers, bytes, { secret, now: 1_531_420_618_000 })).toBe(true);
  });

  it.each([
    ["no signature", {}],
    ["no time", { "x-slack-signature": signed(body)["x-slack-signature"] }],
    ["the signature of another body", signed(`${body} `)],
    ["the signature of another secret", signed(body, now, "other")],
    ["a signature of more than five minutes ago", signed(body, now - 301_000)],
    ["a signature of the future", signed(body, now + 301_000)],
    ["another time than was signed", {
      ...signed(body),
      "x-slack-request-timestamp": "1799999999",
    }],
    ["a short signature", { ...signed(body), "x-slack-signature": "v0=00" }],
    ["another version", { ...signed(body), "x-slack-signature": `v1=${"0".repeat(64)}` }],
  ])("events with %s are 401", async (_, headers) => {
    const { status, text } = await api().send("POST", path, body, headers);
    expect(status).toBe(401);
    expect(text).not.toContain(secret);
    expect(await queued()).toEqual([]);
  });

  it("nobody is warned; without one, somebody is", () => {
    const warned = (more: object) => {
      const warnings: string[] = [];
      const log: Logger = { ...silentLogger, warn: (text) => void warnings.push(text) };
      const datacollaboration = { enabled: true, "chat-oauth-token": token, ...more };
      messageRoutes({ ...c.context, log, config: Config.parse({ datacollaboration }) });
      return warnings;
    };
    expect(warned({ "signing-secret": secret })).toEqual([]);
    expect(warned({})).toEqual([expect.stringMatching(/datacollaboration\.signing-secret/)]);
  });
});
