import { afterEach, describe, expect, it } from "vitest";
import { insertEdges } from "#test/support/seed/catalogue.ts";
import { fastSender } from "#test/support/alerts/deliveries.ts";
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

const inhibitedBy = (alert: { alert_id: number }) =>
  `held: announced as a consequence of alert ${alert.alert_id}`;
const consequencesOf = (message: Record<string, unknown[]>) =>
  (message.consequences as { alert_id: number }[]).map((consequence) => consequence.alert_id);

/** Sends what is due, over one channel. */
async function sending() {
  const channel = new FakeChannel();
  const { sender, stop: end } = fastSender(t, channel);
  stop = end;
  await sender.start(() => {});
  return channel;
}

describe("Policies with inhibition", () => {
  it("tells an alert downstream inside the unsent message of the one upstream", async () => {
    t = await policyHarness(["a", "b", "c"], { levels: 2 });
    const root = await t.opened("a");
    const near = await t.opened("b");
    const far = await t.opened("c");
    expect(await t.said(root)).toBe("pending");
    expect([await t.said(near), await t.said(far)]).toEqual([inhibitedBy(root), inhibitedBy(root)]);
    const message = await t.messageOf(root);
    expect(consequencesOf(message)).toEqual([near.alert_id, far.alert_id]);
    expect(message.consequences![0]).toMatchObject({ data_entity: { name: "b" } });
  });

  it("looks no further up than its levels, and never sideways or down", async () => {
    t = await policyHarness(["a", "b", "c"], { levels: 1 });
    const a = await t.opened("a");
    const c = await t.opened("c");
    const b = await t.opened("b");
    expect([await t.said(a), await t.said(c)]).toEqual(["pending", "pending"]);
    expect(await t.said(b)).toBe(inhibitedBy(a));
  });

  it("lets only what is itself announced hold others back", async () => {
    t = await policyHarness(["a", "b", "c"], { levels: 1 });
    const a = await t.opened("a");
    const b = await t.opened("b");
    const c = await t.opened("c");
    expect(await t.said(b)).toBe(inhibitedBy(a));
    expect(await t.said(c)).toBe("pending");
  });

  it("lets alerts of a cycle not silence each other", async () => {
    t = await policyHarness(["a", "b"], { levels: 5 });
    await insertEdges(t.db, [[t.ids.a!, t.ids.b!, t.ids.a!]]);
    const first = await t.opened("a");
    const second = await t.opened("b");
    const repeated = await t.opened("a", { alert_type: "FAILED_DQ_TEST" });
    expect(await t.said(first)).toBe("pending");
    expect(await t.said(second)).toBe(inhibitedBy(first));
    expect(await t.said(repeated)).toBe("pending");
  });

  it("follows up a message that was sent, and gathers what comes until that goes", async () => {
    t = await policyHarness(["a", "b", "c"], { levels: 2, groupWaitMs: 60_000 });
    const channel = await sending();
    const root = await t.opened("a");
    await t.waitIsOver();
    await eventually(() => expect(channel.sent).toHaveLength(1));
    await eventually(async () => expect(await t.said(root)).toBe("delivered"));
    const [near, far] = [await t.opened("b"), await t.opened("c")];
    expect(await t.said(near)).toBe(inhibitedBy(root));
    await t.waitIsOver();
    await eventually(() => expect(channel.sent).toHaveLength(2));
    const { message } = channel.sent[1]!;
    expect([message.event_type, message.data_entity?.name]).toEqual(["UPDATED", "a"]);
    expect(message.consequences.map((consequence) => consequence.alert_id))
      .toEqual([near.alert_id, far.alert_id]);
    expect(await t.said(far, "follow_up")).toBe("nothing");
  });

  it("releases what is still open when the root closes, in order, and no more than that", async () => {
    t = await policyHarness(["a", "b", "c"], { levels: 2 });
    const root = await t.opened("a");
    const [open, closed] = [await t.opened("b"), await t.opened("c")];
    const grown = await t.changed(open, "UPDATED");
    const over = await t.changed(closed, "RESOLVED");
    expect(await t.said(grown)).toBe(inhibitedBy(root));
    const why = `suppressed: closed while announced as a consequence of alert ${root.alert_id}`;
    expect(await t.said(over)).toBe(why);
    await t.changed(root, "RESOLVED");
    expect(await t.review()).toBe(2);
    const released = `pending: delayed until alert ${root.alert_id} closed`;
    expect([await t.said(open), await t.said(grown)]).toEqual([released, released]);
    expect(await t.said(closed)).toBe(why);
    expect(await t.review()).toBe(0);
    const channel = await sending();
    await eventually(() => expect(channel.sent).toHaveLength(4));
    const ofB = channel.sent.filter(({ message }) => message.data_entity?.name === "b");
    expect(ofB.map(({ message }) => message.event_type)).toEqual(["CREATED", "UPDATED"]);
  });

  it("hands what is held to another announced root that is open still", async () => {
    t = await policyHarness(["a", "b", "c"], { levels: 1 });
    await insertEdges(t.db, [[t.ids.c!, t.ids.a!, t.ids.c!]]);
    const [first, second] = [await t.opened("b"), await t.opened("a")];
    const delayed = await t.opened("c");
    expect(await t.said(delayed)).toBe(inhibitedBy(first));
    await t.changed(first, "RESOLVED");
    expect(await t.review()).toBe(1);
    expect(await t.said(delayed)).toBe(inhibitedBy(second));
    expect(consequencesOf(await t.messageOf(second))).toEqual([delayed.alert_id]);
    const later = await t.opened("b", { alert_type: "FAILED_DQ_TEST" });
    await t.changed(second, "RESOLVED");
    await t.review();
    // The other one opened later than what was held.
    expect(await t.said(delayed)).toBe(`pending: delayed until alert ${second.alert_id} closed`);
    expect(await t.said(later)).toMatch(/^pending/);
  });

  it("holds nothing while the graph does not answer, and releases what it held", async () => {
    t = await policyHarness(["a", "b"], { levels: 3 });
    const root = await t.opened("a");
    const delayed = await t.opened("b");
    t.graph.down = true;
    const free = await t.opened("b", { alert_type: "FAILED_DQ_TEST" });
    expect(await t.said(free)).toBe("pending");
    await t.changed(root, "RESOLVED");
    expect(await t.review()).toBe(1);
    expect(await t.said(delayed)).toMatch(/^pending: delayed until/);
  });

  it("releases what is held when nobody could be told of the root", async () => {
    t = await policyHarness(["a", "b"], { levels: 1 });
    const root = await t.opened("a");
    const delayed = await t.opened("b");
    expect(await t.review()).toBe(0);
    await t.db.query("UPDATE delivery SET state = 'failed' WHERE event_id = $1", [root.id]);
    expect(await t.review()).toBe(1);
    expect(await t.said(delayed)).toMatch(/^pending/);
  });

  it("releases all that is open when asked to, and can do so while it is switched off", async () => {
    t = await policyHarness(["a", "b"], { levels: 0 });
    const root = await t.opened("a");
    const delayed = await t.opened("b");
    await t.db.query(
      `WITH n AS (UPDATE notification SET state = 'held', inhibited_by = $1 WHERE event_id = $2)
       UPDATE delivery SET state = 'held' WHERE event_id = $2`,
      [root.alert_id, delayed.id],
    );
    expect(await t.review(false)).toBe(0);
    expect(await t.review(true)).toBe(1);
    expect(await t.said(delayed)).toMatch(/^pending/);
  });

  it("decides the same of a change that is repeated", async () => {
    t = await policyHarness(["a", "b"], { levels: 1 });
    const root = await t.opened("a");
    const delayed = await t.opened("b");
    await t.db.query("UPDATE alert SET status = 2 WHERE id = $1", [root.alert_id]);
    await t.take(delayed);
    expect(await t.said(delayed)).toBe(inhibitedBy(root));
    expect(consequencesOf(await t.messageOf(root))).toEqual([delayed.alert_id]);
  });
});
