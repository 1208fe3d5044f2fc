import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertEventRecord } from "#contract/alerts.ts";
import { alertEvents } from "#contract/topics.ts";
import type { Service } from "#platform/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { deliveryWorkers } from "#services/notifier/delivery/workers.ts";
import { insertEdges, insertEntities } from "#test/support/seed/catalogue.ts";
import { anEvent, deliveries } from "#test/support/alerts/deliveries.ts";
import { eventually } from "#test/support/eventually.ts";
import { FakeChannel } from "#test/support/alerts/fake-channel.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";

describe.each(engineSets())("policies as configured, %s engines", (set) => {
  let instance: Instance;
  let ids: Record<string, number>;
  const channel = new FakeChannel();
  const notifier: Service = {
    name: "notifier",
    create: (context) => ({ routes: [], workers: deliveryWorkers(context, [channel]) }),
  };

  beforeAll(async () => {
    instance = await startInstance(set, {
      services: [ingestConsumerService, notifier],
      config: { notifications: { enabled: true, "inhibit-levels": 2 } },
    });
    const { db } = instance.test;
    ids = await insertEntities(db, ["orders", "revenue"]);
    await insertEdges(db, [[ids.revenue!, ids.orders!, ids.revenue!]]);
    const [row] = await db.query<{ position: number }>("SELECT lineage_append($1) AS position", [
      Object.values(ids),
    ]);
    await eventually(async () => {
      const [status] = await db.query<{ position: number }>(
        "SELECT position FROM projection_status",
      );
      if (set === "distributed") expect(status?.position).toBeGreaterThanOrEqual(row!.position);
    });
  });
  afterAll(() => instance?.stop());

  async function publish(event: AlertEventRecord): Promise<void> {
    const value = new TextEncoder().encode(JSON.stringify(event));
    const record = { key: String(event.alert_id), value, headers: {} };
    await instance.events.publish(alertEvents, [record], { timeoutMs: 10_000 });
  }
  async function opened(entity: string): Promise<AlertEventRecord> {
    const [alert] = await instance.test.db.query<{ id: number }>(
      "INSERT INTO alert (entity_id, type, status) VALUES ($1, 3, 1) RETURNING id",
      [ids[entity]],
    );
    const event = anEvent({ alert_id: alert!.id, entity_id: ids[entity]! });
    await publish(event);
    return event;
  }
  const stateOf = async ({ id }: AlertEventRecord) =>
    (await deliveries(instance.test)).find((row) => row.event_id === id && row.kind === "event")
      ?.state;

  it("tells an alert with the one that caused it, and by itself once that is over", async () => {
    const root = await opened("orders");
    await eventually(async () => expect(await stateOf(root)).toBe("delivered"));
    const delayed = await opened("revenue");
    await eventually(() => expect(channel.sent).toHaveLength(2));
    expect(await stateOf(delayed)).toBe("held");
    const messages = channel.sent.map(({ message }) => message);
    expect(messages.map((message) => message.data_entity?.name)).toEqual(["orders", "orders"]);
    expect(messages[1]!.consequences.map((one) => one.data_entity.name)).toEqual(["revenue"]);
    const { db } = instance.test;
    await db.query("UPDATE alert SET status = 2 WHERE id = $1", [root.alert_id]);
    const { alert_id, entity_id } = root;
    await publish(anEvent({ alert_id, entity_id, event_type: "RESOLVED" }));
    await eventually(async () => expect(await stateOf(delayed)).toBe("delivered"));
    const said = channel.sent.map(({ message: m }) => `${m.data_entity?.name} ${m.event_type}`);
    expect(said.slice(2).sort()).toEqual(["orders RESOLVED", "revenue CREATED"]);
  });
});
