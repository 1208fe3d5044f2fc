import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertMessage } from "#contract/notifications.ts";
import { apiService } from "#services/api/service.ts";
import { webhookConcurrency } from "#services/notifier/channels/webhook/send.ts";
import {
  type Arrival,
  deliveryLog,
  expectExplained,
  expectRate,
} from "#test/support/alerts/delivery-account.ts";
import { eventually } from "#test/support/eventually.ts";
import { type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { notifierEnvironment, readerOf } from "#test/support/alerts/notifier.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { raiseAlerts } from "#test/support/alerts/raise-alerts.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";

/** Milliseconds in which the other has everything; what a killed one had claimed is its own for six. */
const handoverMs = 60_000;
const defaultChatMs = 1_000;

describe.each(oneSetBySize())("two notifiers, %s engines", (set) => {
  let instance: Instance;
  let chat: HttpSink;
  let webhook: HttpSink;
  let pair: ServiceProcess[];
  let raised = 0;
  beforeAll(async () => {
    instance = await startInstance(set, { services: [apiService] });
    [chat, webhook] = [await startHttpSink(), await startHttpSink()];
    const env = notifierEnvironment(set, instance.test, {
      RECEIVERS_CHAT_URL: chat.url,
      RECEIVERS_WEBHOOK_URL: webhook.url,
      DELIVERY_TIMEOUT: "1 s",
    });
    pair = await Promise.all(
      ["one", "other"].map((name) => startService({ service: "notifier", name, env })),
    );
  });
  afterAll(async () => {
    await Promise.all(pair?.map((each) => each.kill()) ?? []);
    await Promise.all([chat?.close(), webhook?.close()]);
    await instance?.stop();
  });

  const raise = async (count: number) => {
    await raiseAlerts(instance, count);
    raised += count;
  };
  const ids = () => webhook.requests.map(({ headers }) => headers["webhook-id"]!);
  const arrived = (within: number) =>
    eventually(() => expect(new Set(ids()).size).toBe(raised), {
      within,
      describe: () => Promise.all(pair.filter((each) => each.pid() > 0).map(readerOf)),
    });

  it("send each change once, those of one alert in their order", async () => {
    await raise(300);
    const open = await instance.json("/api/alerts/list?page=1&size=30") as { id: number }[];
    for (const { id } of open) {
      const put = await instance.send("PUT", `/api/alerts/${id}/status`, { status: "RESOLVED" });
      expect(put.status).toBe(200);
    }
    raised += open.length;
    await arrived(handoverMs);
    expect(ids()).toHaveLength(raised);
    const said = webhook.requests.map(({ body }) => JSON.parse(body) as AlertMessage);
    for (const { id } of open) {
      const mine = said.filter(({ alert_chunks }) => alert_chunks[0]!.alert_id === id);
      expect(mine.map(({ event_type }) => event_type)).toEqual(["CREATED", "RESOLVED"]);
    }
  });

  it("hand over within seconds when one is killed, and repeat only what it had in flight", async () => {
    const states = await Promise.all(pair.map(readerOf));
    const reader = pair[states.findIndex(({ state }) => state === "reading")]!;
    const before = raised;
    const sending = raise(200);
    await eventually(() => expect(new Set(ids()).size).toBeGreaterThan(before + 10));
    await reader.kill();
    const killed = performance.now();
    await sending;
    await raise(20);
    await arrived(60_000);
    expect(performance.now() - killed).toBeLessThan(handoverMs);
    // What arrived and was not recorded is sent again when its claim is over.
    const sent = await eventually(async () => {
      const log = await deliveryLog(instance.test.db);
      const rows = log.filter(({ channel }) => channel === "webhook");
      expect(rows.filter(({ state }) => state !== "delivered").length).toBe(0);
      return rows;
    }, { within: handoverMs });
    const arrivals = ids().map((deliveryId): Arrival => ({ deliveryId, taken: true }));
    expect(expectExplained(sent, arrivals)).toBeLessThanOrEqual(webhookConcurrency);
  });

  it("keep the chat's default rate together, kills included", async () => {
    await eventually(() => expect(chat.requests.length).toBeGreaterThan(6));
    expectRate(chat.requests.map(({ at }) => at), defaultChatMs);
  });
});
