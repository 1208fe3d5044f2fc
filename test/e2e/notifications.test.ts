import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  NotificationDelivery,
  NotificationDeliveryList,
  Silence,
} from "#contract/catalogue/alerts.ts";
import { AlertMessage } from "#contract/notifications.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { answers, type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { readMail } from "#test/support/alerts/mail.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { type SmtpSink, startSmtpSink } from "#test/support/alerts/smtp-sink.ts";

const path = "/api/notifications";

describe.each(engineSets())("notifications, %s", (set) => {
  let instance: Instance;
  let chat: HttpSink;
  let webhook: HttpSink;
  let mail: SmtpSink;
  beforeAll(async () => {
    [chat, webhook, mail] = await Promise.all([startHttpSink(), startHttpSink(), startSmtpSink()]);
    instance = await startInstance(set, {
      services: [apiService, ingestConsumerService, notifierService],
      config: { notifications: notifications() },
    });
  });
  afterAll(async () => {
    await instance?.stop();
    await Promise.all([chat, webhook, mail].map((sink) => sink?.close()));
  });

  const notifications = () => ({
    enabled: true,
    receivers: {
      chat: { url: `${chat.url}/chat-s3cret`, interval: "10 ms" },
      webhook: { url: `${webhook.url}/webhook-s3cret` },
      email: {
        host: "127.0.0.1",
        port: mail.port,
        sender: "alerts@a.example",
        notification: { emails: "ada@a.example, code-550@a.example" },
      },
    },
    delivery: { "retry-initial": "50 ms" },
  });

  /** Posts a firing alert on an entity, another one each time, as an Alertmanager does; returns the alert's id. */
  async function fire(catrn: string): Promise<number> {
    const alert = {
      labels: { entity_catrn: catrn },
      fingerprint: crypto.randomUUID(),
      generatorURL: "http://prometheus.example/graph?g0.expr=up",
      startsAt: "2026-01-01T00:00:00.000Z",
    };
    const answer = await instance.send("POST", "/ingestion/alert/alertrouter", { alerts: [alert] });
    expect(answer.status, await answer.text()).toBe(200);
    const [row] = await instance.test.db.query<{ id: number }>("SELECT max(id) AS id FROM alert");
    return row!.id;
  }

  async function entity(name: string): Promise<string> {
    const catrn = `//test/e2e/${name}`;
    await seedEntity(instance.test.db, { catrn, name, type: "TABLE" });
    return catrn;
  }

  /** The delivery log of an alert, once nothing of it is pending. */
  function log(alert: number) {
    return eventually(async () => {
      const answer = await instance.json(`${path}/deliveries?alert_id=${alert}`);
      const { items } = NotificationDeliveryList.parse(answer);
      expect(items.length).toBe(4);
      expect(items.filter(({ state }) => state === "PENDING")).toEqual([]);
      return items;
    }, { describe: () => instance.logs.slice(-10) });
  }

  it("an alert arrives in chat, webhook and mailbox, and the log tells of each, no secret in it", async () => {
    const alert = await fire(await entity("orders"));
    const items = await log(alert);
    const ends = items.map(({ channel, recipient, state, attempt_count }) =>
      `${channel} ${recipient} ${state} ${attempt_count}`
    );
    const host = (sink: HttpSink) => new URL(sink.url).host;
    expect(ends.sort()).toEqual([
      `chat ${host(chat)} DELIVERED 1`,
      "email ada@a.example DELIVERED 1",
      "email code-550@a.example FAILED 1",
      `webhook ${host(webhook)} DELIVERED 1`,
    ].sort());
    const [request] = webhook.requests;
    expect(AlertMessage.parse(JSON.parse(request!.body)).data_entity?.name).toBe("orders");
    const delivery = items.find(({ channel }) => channel === "webhook")!;
    expect(request!.headers["webhook-id"]).toBe(delivery.id);
    expect(chat.requests[0]!.body).toContain("*orders*");
    const sent = await eventually(() => readMail(mail.mails[0]!.raw));
    expect(sent.headers.subject).toBe("Tributary - DISTRIBUTION_ANOMALY Alert");
    expect(sent.text).toContain("orders");
    expect(JSON.stringify(items) + instance.logs.join()).not.toContain("s3cret");
  });

  it("links of chat and mail lead to the entity and its alerts, at the port that was bound", async () => {
    const alert = await fire(await entity("linked"));
    await log(alert);
    const body = chat.requests.map((request) => request.body).find((b) => b.includes("linked"))!;
    const [, toEntity] = /<(http[^|]+)\|[^>]*linked/.exec(body)!;
    expect(new URL(toEntity!).port).toBe(new URL(instance.url).port);
    const idOf = (link: string, page: string) =>
      new RegExp(`^/dataentities/(\\d+)/${page}$`).exec(new URL(link).pathname)![1];
    const id = idOf(toEntity!, "overview");
    expect(
      (await instance.json(`/api/dataentities/${id}`) as { external_name: string }).external_name,
    )
      .toBe("linked");
    const mails = await Promise.all(mail.mails.map(({ raw }) => readMail(raw)));
    const { text } = mails.find((one) => one.text.includes("linked"))!;
    expect(idOf(/http:\S+/.exec(text)![0], "alerts")).toBe(id);
    const { items } = await instance.json(`/api/dataentities/${id}/alerts?page=1&size=30`) as {
      items: { id: number }[];
    };
    expect(items.map((one) => one.id)).toEqual([alert]);
  });

  it("what was refused is sent again when asked, with the same delivery id", async () => {
    webhook.answer = answers.status(404);
    const alert = await fire(await entity("customers"));
    const failed = (await log(alert)).find(({ channel }) => channel === "webhook")!;
    expect(failed).toMatchObject({ state: "FAILED", reason: "not taken (404)" });
    webhook.answer = answers.status(200);
    const resent = await instance.send("POST", `${path}/deliveries/${failed.id}/resend`);
    expect(resent.status).toBe(200);
    await eventually(async () => {
      const one = await instance.json(`${path}/deliveries/${failed.id}`);
      const { state, attempts } = NotificationDelivery.parse(one);
      expect([state, attempts.map((a) => a.outcome)]).toEqual(["DELIVERED", [
        "REFUSED",
        "DELIVERED",
      ]]);
    });
    const repeats = webhook.requests.filter(({ headers }) => headers["webhook-id"] === failed.id);
    expect(repeats).toHaveLength(2);
    expect(repeats[1]!.body).toBe(repeats[0]!.body);
  });

  it("a silence keeps an alert from everybody, and says so, until it is ended", async () => {
    const catrn = await entity("drafts");
    const [{ id: entity_id } = { id: 0 }] = await instance.test.db.query<{ id: number }>(
      "SELECT id FROM data_entity WHERE catrn = $1",
      [catrn],
    );
    const form = { entity_id, until: "2999-01-01T00:00:00Z", comment: "being rebuilt" };
    const made = await instance.send("POST", `${path}/silences`, form);
    const { id } = Silence.parse(await made.json());
    const before = webhook.requests.length;
    const silenced = await log(await fire(catrn));
    expect(new Set(silenced.map(({ state }) => state))).toEqual(new Set(["SUPPRESSED"]));
    expect(silenced[0]!.reason).toMatch(/silence/);
    expect((await instance.send("DELETE", `${path}/silences/${id}`)).status).toBe(204);
    const heard = await log(await fire(catrn));
    expect(heard.filter(({ state }) => state === "DELIVERED")).toHaveLength(3);
    expect(webhook.requests.length).toBe(before + 1);
  });
});
