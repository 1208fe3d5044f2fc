import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertEventRecord } from "#contract/alerts.ts";
import { alertEventHeaders, alertEvents } from "#contract/topics.ts";
import { listDeadLetters } from "#eventlog/dead-letters.ts";
import type { Service } from "#platform/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { deliveryWorkers } from "#services/notifier/delivery/workers.ts";
import { insertEdges, insertEntities } from "#test/support/seed/catalogue.ts";
import { anEvent, deliveries } from "#test/support/alerts/deliveries.ts";
import { eventually } from "#test/support/eventually.ts";
import { FakeChannel } from "#test/support/alerts/fake-channel.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";

describe.each(engineSets())("deliveryWorkers, %s engines", (set) => {
  let instance: Instance;
  let ids: Record<string, number>;
  const channel = new FakeChannel({ recipients: ["a", "b"] });
  const notifier: Service = {
    name: "notifier",
    create: (context) => ({ routes: [], workers: deliveryWorkers(context, [channel]) }),
  };

  beforeAll(async () => {
    instance = await startInstance(set, { services: [ingestConsumerService, notifier] });
    const { db } = instance.test;
    ids = await insertEntities(db, ["orders", "job", "report", "beyond"]);
    const [orders, job, report, beyond] = [ids.orders!, ids.job!, ids.report!, ids.beyond!];
    await insertEdges(db, [[job, orders, job], [job, job, report], [beyond, report, beyond]]);
    await db.query("SELECT lineage_append($1)", [Object.values(ids)]);
    await db.query(
      "INSERT INTO alert (id, entity_id, type, status) OVERRIDING SYSTEM VALUE VALUES (77, $1, 3, 1)",
      [orders],
    );
    await db.query(
      "INSERT INTO alert_chunk (alert_id, description) VALUES (77, 'it broke'), (77, 'again')",
    );
  });
  afterAll(() => instance?.stop());

  const publish = (values: (AlertEventRecord | string)[], headers: Record<string, string> = {}) =>
    instance.events.publish(
      alertEvents,
      values.map((value) => ({
        key: typeof value === "string" ? "7" : String(value.alert_id),
        value: new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)),
        headers,
      })),
      { timeoutMs: 10_000 },
    );
  const sentFor = (event: AlertEventRecord) =>
    channel.sent.filter((sent) => sent.message.event_at === event.event_at);
  const rowsOf = async (event: AlertEventRecord) =>
    (await deliveries(instance.test)).filter((row) => row.event_id === event.id);
  let minute = 0;
  /** Told apart by its time. */
  const change = (given: Partial<AlertEventRecord> = {}) =>
    anEvent({ event_at: new Date(Date.UTC(2031, 0, 1, 0, minute++)).toISOString(), ...given });

  it("sends each recipient what changed, where and what is affected", async () => {
    // The projected graph may still be on its way; each is another change, and so another message.
    await eventually(async () => {
      const event = change({ alert_id: 77, entity_id: ids.orders! });
      await publish([event]);
      await eventually(() => expect(sentFor(event)).toHaveLength(2));
      const [{ message }] = sentFor(event) as [typeof channel.sent[number]];
      expect(message.data_entity).toMatchObject({ id: ids.orders, name: "orders", type: "TABLE" });
      expect(message.alert_chunks.map((c) => c.description).sort()).toEqual(["again", "it broke"]);
      expect(message.downstream.map((e) => e.name)).toEqual(["job"]);
    });
  });

  it("tells a change that is repeated no second time", async () => {
    const repeated = change();
    const last = change({ alert_id: repeated.alert_id });
    await publish([repeated, repeated]);
    await publish([repeated, last]);
    await eventually(() => expect(sentFor(last)).toHaveLength(2));
    expect(sentFor(repeated)).toHaveLength(2);
    expect(await rowsOf(repeated)).toHaveLength(2);
  });

  it("quarantines what cannot be told, with its cause, and goes on", async () => {
    const gone = change({ entity_id: 9_000_000 });
    const next = change({ alert_id: gone.alert_id });
    await publish(["not JSON", JSON.stringify({ id: -1 })]);
    await publish([change()], { [alertEventHeaders.version]: "2" });
    await publish([gone, next]);
    await eventually(() => expect(sentFor(next)).toHaveLength(2));
    const store = { events: instance.events, db: instance.test.db };
    const reasons = await eventually(async () => {
      const deadLetters = await listDeadLetters(store, { all: true });
      expect(deadLetters).toHaveLength(4);
      return deadLetters.map((deadLetter) => deadLetter.reason);
    });
    expect(reasons.sort())
      .toEqual(["entity_gone", "invalid_alert_event", "invalid_json", "unknown_version"]);
    const [row] = await instance.test.db.query(
      "SELECT state, cause FROM notification WHERE event_id = $1",
      [gone.id],
    );
    expect(row).toEqual({
      state: "quarantined",
      cause: "entity_gone: entity 9000000 does not exist any more",
    });
  });

  it("tells a quarantined change once its record is put back and it can be told", async () => {
    const late = change({ entity_id: 9_000_001 });
    await publish([late]);
    await eventually(async () => {
      const rows = await instance.test.db.query(
        "SELECT 1 FROM notification WHERE event_id = $1 AND state = 'quarantined'",
        [late.id],
      );
      expect(rows).toHaveLength(1);
    });
    await publish([{ ...late, entity_id: ids.report! }]);
    await eventually(() => expect(sentFor(late)).toHaveLength(2));
  });
});
