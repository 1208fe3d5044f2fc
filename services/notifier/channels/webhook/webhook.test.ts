import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { AlertMessage } from "#contract/notifications.ts";
import { loadConfig } from "#platform/config/load.ts";
import { webhookChannel, webhookSettings } from "#services/notifier/channels/webhook/send.ts";
import { channelConformance, hostile, largest } from "#test/conformance/channel.ts";
import { httpSubject, secretUrl } from "#test/conformance/channel-http.ts";
import { alertMessage } from "#test/support/alerts/alert-messages.ts";
import { eventually } from "#test/support/eventually.ts";
import { answers, type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";

const open = (url: string, timeoutMs = 15_000, secret = "") =>
  webhookChannel(
    webhookSettings(loadConfig({
      env: {
        NOTIFICATIONS_RECEIVERS_WEBHOOK_URL: url,
        NOTIFICATIONS_RECEIVERS_WEBHOOK_SECRET: secret,
        NOTIFICATIONS_DELIVERY_TIMEOUT: String(timeoutMs),
      },
    }))!,
    systemClock,
  );

channelConformance({
  name: "webhook",
  // JSON is the escaping: what does not parse fails before this is asked.
  unescaped: /never/,
  ...httpSubject(open, (sink) =>
    sink.requests.map(({ headers, body }) => ({
      id: String(headers["webhook-id"]),
      shown: JSON.stringify(JSON.parse(body)),
    }))),
});

describe("webhookChannel", () => {
  let sink: HttpSink;
  afterEach(() => sink.close());

  async function sent(secret?: string, message = alertMessage()) {
    sink = await startHttpSink();
    const address = sink.url.replace("//", `//${secretUrl.userInfo}`) + secretUrl.path;
    const outgoing = { deliveryId: "0198-abc", recipient: "r", message };
    await open(address, 15_000, secret).send(outgoing, new AbortController().signal);
    return sink.requests[0]!;
  }

  it("posts the whole message as JSON, with its id, the sign-in of the address in a header", async () => {
    const message = largest();
    const { method, path, headers, body } = await sent(undefined, message);
    expect({ method, path }).toEqual({ method: "POST", path: secretUrl.path });
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["webhook-id"]).toBe("0198-abc");
    expect(headers["webhook-signature"]).toBeUndefined();
    expect(headers.authorization).toBe(`Basic ${btoa("user:p@ss-w0rd")}`);
    expect(AlertMessage.parse(JSON.parse(body))).toEqual(message);
  });

  it.each([
    ["huge", answers.hugeBody(200)],
    ["slow", answers.slowBody(200)],
  ])("gives a connection up whose answer is %s, long before its time", async (_, answer) => {
    let socket: Socket | undefined;
    sink = await startHttpSink((from, request) => {
      socket = from;
      answer(from, request);
    });
    const outgoing = { deliveryId: "d", recipient: "r", message: alertMessage() };
    const outcome = await open(sink.url, 600_000).send(outgoing, new AbortController().signal);
    expect(outcome.kind).toBe("delivered");
    await eventually(() => expect(socket!.destroyed).toBe(true));
  });

  it("hands on texts as they are", async () => {
    const alert_chunks = [
      { alert_id: 1, created_at: "2026-01-01T00:00:00.000Z", description: hostile },
    ];
    const { body } = await sent(undefined, alertMessage({ alert_chunks }));
    expect(JSON.parse(body).alert_chunks).toEqual(alert_chunks);
  });

  it.each([
    [
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64"),
    ],
    ["any text at all", Buffer.from("any text at all")],
  ])("signs id, time and body with %s", async (secret, key) => {
    const { headers, body } = await sent(secret);
    const timestamp = String(headers["webhook-timestamp"]);
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    const expected = createHmac("sha256", key).update(`0198-abc.${timestamp}.${body}`);
    expect(headers["webhook-signature"]).toBe(`v1,${expected.digest("base64")}`);
  });
});
