import { afterEach, describe, expect, it } from "vitest";
import { deliveries, fastSender } from "#test/support/alerts/deliveries.ts";
import { eventually } from "#test/support/eventually.ts";
import { FakeChannel } from "#test/support/alerts/fake-channel.ts";
import { type PolicyHarness, policyHarness } from "./testing/harness.ts";

let t: PolicyHarness;
let stop = () => Promise.resolve();
afterEach(async () => {
  await stop();
  stop = () => Promise.resolve();
  await t.drop();
});

async function sending() {
  const channel = new FakeChannel();
  const { sender, stop: end } = fastSender(t, channel);
  stop = end;
  await sender.start(() => {});
  return channel;
}

describe("Policies with grouping", () => {
  it("makes a burst on one entity one message, and keeps a row for each change", async () => {
    t = await policyHarness(["a", "b"], { groupWaitMs: 60_000 });
    const first = await t.opened("a");
    const second = await t.opened("a", { alert_type: "FAILED_DQ_TEST" });
    const third = await t.changed(first, "UPDATED");
    const other = await t.opened("b");
    expect(await t.said(first)).toBe("pending: waits 60000 ms for more on the entity");
    expect(await t.said(second)).toBe(`merged: announced with change ${first.id}`);
    expect(await t.said(third)).toBe(`merged: announced with change ${first.id}`);
    expect(await t.said(other)).toMatch(/^pending/);
    const [row, merged] = await deliveries(t);
    expect(merged!.merged_into).toBe(row!.id);
    await t.waitIsOver();
    const channel = await sending();
    await eventually(() => expect(channel.sent).toHaveLength(2));
    const { message } = channel.sent.find((sent) => sent.message.data_entity?.name === "a")!;
    expect(message.grouped_events.map(({ alert_id, event_type }) => [alert_id, event_type]))
      .toEqual([[second.alert_id, "CREATED"], [first.alert_id, "UPDATED"]]);
  });

  it("sends the first no earlier than its wait, and what comes after it apart", async () => {
    t = await policyHarness(["a"], { groupWaitMs: 300 });
    const channel = await sending();
    const began = performance.now();
    const first = await t.opened("a");
    await eventually(() => expect(channel.sent).toHaveLength(1));
    expect(channel.sent[0]!.at - began).toBeGreaterThanOrEqual(290);
    const late = await t.changed(first, "RESOLVED");
    expect(await t.said(late)).toMatch(/^pending: waits/);
    await eventually(() => expect(channel.sent).toHaveLength(2));
  });

  it("lets a later change of a merged alert wait for the message that tells of it", async () => {
    t = await policyHarness(["a"], { groupWaitMs: 200 });
    await t.opened("a");
    const second = await t.opened("a", { alert_type: "FAILED_DQ_TEST" });
    await eventually(async () => {
      const [row] = await t.db.query("SELECT bool_and(due_at < now()) AS due FROM delivery");
      expect(row!.due).toBe(true);
    });
    const late = await t.changed(second, "RESOLVED");
    expect(await t.said(late)).toMatch(/^pending: waits/);
    await t.waitIsOver();
    const order: string[] = [];
    let open = () => {};
    const gate = new Promise<void>((release) => open = release);
    const channel = new FakeChannel({
      answer: async ({ message }) => {
        order.push(message.event_type);
        await gate;
        return { kind: "delivered" };
      },
    });
    const { sender, stop: end } = fastSender(t, channel);
    stop = end;
    await sender.start(() => {});
    await eventually(() => expect(order).toEqual(["CREATED"]));
    open();
    await eventually(() => expect(order).toEqual(["CREATED", "RESOLVED"]));
  });

  it("announces changes of no entity at once, each by itself", async () => {
    t = await policyHarness(["a"], { groupWaitMs: 60_000 });
    const nowhere = { entity_id: null, alert_type: "DISTRIBUTION_ANOMALY" as const };
    const ofSource = { entity_id: null, alert_type: "DATA_SOURCE_CONNECTION_ERROR" as const };
    const orphans = [nowhere, nowhere, ofSource].map((given) => t.opened("a", given));
    const said = await Promise.all((await Promise.all(orphans)).map((event) => t.said(event)));
    expect(said).toEqual(["pending", "pending", "pending"]);
  });
});
