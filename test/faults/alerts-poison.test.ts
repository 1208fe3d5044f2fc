import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertMessage } from "#contract/notifications.ts";
import { listDeadLetters } from "#eventlog/dead-letters.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { readMail } from "#test/support/alerts/mail.ts";
import { markOf, raiseAlerts } from "#test/support/alerts/raise-alerts.ts";
import { type SmtpSink, startSmtpSink } from "#test/support/alerts/smtp-sink.ts";

const source = "//poison/shop";
const at = (name: string) => `${source}/${name}`;
const table = (name: string) => ({
  catrn: at(name),
  name,
  type: "TABLE",
  dataset: { field_list: [] },
});
const job = (name: string, inputs: string[], outputs: string[], more: object = {}) => ({
  catrn: at(name),
  name,
  type: "JOB",
  data_transformer: { inputs: inputs.map(at), outputs: outputs.map(at) },
  ...more,
});
const failedRun = (of: string, reason: string) => ({
  catrn: at(`${of}/run`),
  name: `run of ${of}`,
  type: "JOB_RUN",
  data_transformer_run: {
    transformer_catrn: at(of),
    start_time: "2026-01-01T00:00:00Z",
    end_time: "2026-01-01T00:01:00Z",
    status: "FAILED",
    status_reason: reason,
  },
});

describe.each(engineSets())("alerts that are hard to tell, %s engines", (set) => {
  let chat: HttpSink;
  let webhook: HttpSink;
  let mail: SmtpSink;
  let instance: Instance;
  beforeAll(async () => {
    [chat, webhook, mail] = [await startHttpSink(), await startHttpSink(), await startSmtpSink()];
    const receivers = {
      chat: { url: chat.url, interval: "20 ms" },
      webhook: { url: webhook.url },
      email: {
        host: "127.0.0.1",
        port: mail.port,
        sender: "alerts@shop.example",
        notification: { emails: "team@shop.example" },
      },
    };
    instance = await startInstance(set, {
      services: [apiService, ingestConsumerService, notifierService],
      config: {
        ingestion: { "ack-timeout": "60 s" },
        notifications: { enabled: true, message: { "downstream-entities-depth": 2 }, receivers },
      },
    });
    const registered = await instance.send("POST", "/ingestion/datasources", {
      items: [{ catrn: source, name: "Shop" }],
    });
    expect(registered.status).toBe(200);
  });
  afterAll(async () => {
    await instance?.stop();
    await Promise.all([chat?.close(), webhook?.close(), mail?.close()]);
  });

  const ingest = async (...items: object[]) => {
    const body = { data_source_catrn: source, items };
    const answer = await instance.send("POST", "/ingestion/entities", body);
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
  };
  /** A change of an alert as it may stand in the table, whatever wrote it there. */
  const insertEvent = async (entity: number | null, moment = "2026-01-01T00:00:00Z") => {
    const rows = await instance.test.db.query<{ id: number }>(
      `INSERT INTO alert_event (alert_id, entity_id, alert_type, event_type, event_at)
       VALUES (1, $1, 4, 'CREATED', $2::timestamptz) RETURNING id`,
      [entity, moment],
    );
    return rows[0]!.id;
  };
  const said = (marked: string) =>
    eventually(() => {
      const found = webhook.requests.filter(({ body }) => body.includes(marked));
      expect(found).toHaveLength(1);
      return JSON.parse(found[0]!.body) as AlertMessage;
    });
  /** An ordinary alert still arrives by every channel, so nothing stands in its way. */
  const stillArrives = async () => {
    const [mark] = await raiseAlerts(instance, 1);
    await eventually(() => {
      const all = [chat.requests, webhook.requests].map((list) => list.map(({ body }) => body));
      const texts = [...all, mail.mails.map(({ raw }) => readMail(raw).text)];
      expect(texts.map((list) => list.some((text) => markOf(text) === mark)))
        .toEqual([true, true, true]);
    }, { describe: () => instance.logs.slice(-5) });
  };
  const deadLetters = async () => {
    const { db } = instance.test;
    return await listDeadLetters({ events: instance.events, db }, { all: true });
  };

  it("a row that makes no sense is quarantined with its reason, and the slot moves on", async () => {
    const id = await insertEvent(null, "infinity");
    await stillArrives();
    const [deadLetter] = (await deadLetters()).filter(({ reason }) =>
      reason === "alert_event_unreadable"
    );
    expect(deadLetter!.message).toContain(`row ${id} of alert_event`);
    expect(await instance.test.db.query("SELECT FROM notification WHERE event_id = $1", [id]))
      .toEqual([]);
    const { db } = instance.test;
    await eventually(async () => {
      const [slot] = await db.query<{ lag: number }>(
        `SELECT (pg_current_wal_lsn() - confirmed_flush_lsn)::bigint AS lag
           FROM pg_replication_slots WHERE database = $1 AND slot_type = 'logical'`,
        [instance.test.name],
      );
      expect(slot!.lag).toBeLessThan(100_000);
    });
  });

  it("an entity that was purged meanwhile: quarantined with its cause", async () => {
    const id = await insertEvent(999_999_999);
    await stillArrives();
    const rows = await instance.test.db.query<{ state: string; cause: string }>(
      "SELECT state, cause FROM notification WHERE event_id = $1",
      [id],
    );
    expect(rows).toEqual([{
      state: "quarantined",
      cause: "entity_gone: entity 999999999 does not exist any more",
    }]);
    expect((await deadLetters()).map(({ reason }) => reason)).toContain("entity_gone");
  });

  it("an alert on a hollow entity names it by what is known", async () => {
    const [mark] = await raiseAlerts(instance, 1);
    const message = await said(`mark-${mark}-`);
    expect(message.data_entity).toMatchObject({
      name: `//burst/tables/t${mark}`,
      type: null,
      data_source_name: null,
    });
  });

  it("10 kB of markup arrive whole, and as text", async () => {
    const hostile = '<script>alert("1")</script> <!channel> *b* & <https://evil.example|click> ';
    const reason = `loud ${hostile.repeat(Math.ceil(10_000 / hostile.length))}`;
    await ingest(job("loud", [], []), failedRun("loud", reason));
    const message = await said("run of loud");
    expect(message.alert_chunks.map(({ description }) => description))
      .toEqual([`Job run run of loud ended with status FAILED: ${reason}`]);
    const [chatText, mailed] = await eventually(() => {
      const text = chat.requests.find(({ body }) => body.includes("run of loud"))?.body;
      const raw = mail.mails.map((one) => readMail(one.raw)).find(({ text }) =>
        text.includes("run of loud")
      );
      expect([text, raw]).not.toContain(undefined);
      return [text!, raw!] as const;
    });
    expect(chatText).not.toMatch(/<script|<!channel>|<https:\/\/evil/);
    expect(mailed.html).not.toMatch(/<script|<!channel/);
    expect(mailed.text).toContain("<script>");
  });

  it("5,000 entities downstream are named, and of more is said that there are more", async () => {
    const names = Array.from({ length: 5_000 }, (_, n) => `t${n}`);
    await ingest(table("hub"), ...names.map(table), job("fan", ["hub"], names));
    await ingest(failedRun("fan", "wide"));
    const wide = await said("run of fan");
    expect([wide.downstream.length, wide.downstream_truncated]).toEqual([5_000, false]);
    const [mark] = await raiseAlerts(instance, 1, at("hub"));
    const wider = await said(`mark-${mark}-`);
    expect([wider.downstream[0]!.name, wider.downstream.length, wider.downstream_truncated])
      .toEqual(["fan", 5_000, true]);
    await stillArrives();
  });
});
