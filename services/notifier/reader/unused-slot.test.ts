import { afterAll, beforeAll, expect, it } from "vitest";
import { slotNames } from "#platform/ops/slot.ts";
import { Config } from "#platform/config/schema.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { drop } from "./slot.ts";

let t: TestDatabase;
const running: Instance[] = [];
beforeAll(async () => void (t = await testDatabase()));
afterAll(async () => {
  for (const instance of running) await instance.stop();
  await t.drop();
});

async function start(enabled: boolean): Promise<Instance> {
  const config = { notifications: { enabled } };
  const instance = await startInstance("embedded", { sharedDatabase: t, services: [], config });
  running.push(instance);
  return instance;
}
const ready = async (instance: Instance) =>
  await instance.json("/health/ready") as { ready: boolean; unused_slot?: object };
const metric = async (instance: Instance) =>
  /^tributary_notifier_slot_retained_bytes (\d+)$/m.exec(
    await (await instance.send("GET", "/metrics")).text(),
  )?.[1];

it("tells of a slot that is left when notifications are off, and of its size, until it is dropped", async () => {
  const names = slotNames(Config.parse({ instance: t.name }));
  const before = await start(false);
  expect(await ready(before)).not.toHaveProperty("unused_slot");
  expect(await metric(before)).toBe("0");
  await t.db.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [names.slot]);
  await t.db.query("SELECT pg_logical_emit_message(false, 'test', repeat('x', 100000))");

  const unused = {
    slot: names.slot,
    retained_bytes: expect.any(Number),
    what_to_do: expect.stringContaining("`npm run notifications -- slot drop`"),
  };
  const after = await start(false);
  expect(await ready(after)).toMatchObject({ ready: true, unused_slot: unused });
  expect(Number(await metric(after))).toBeGreaterThan(100_000);
  const warned = after.logs.map((line) => JSON.parse(line))
    .find(({ message, msg }) => (message ?? msg) === "replication slot is unused");
  expect(warned).toMatchObject(unused);
  expect(warned.retained_bytes).toBeGreaterThan(100_000);

  expect(await ready(await start(true))).not.toHaveProperty("unused_slot");
  await drop(t.db, names);
  expect(await ready(after)).not.toHaveProperty("unused_slot");
  expect(await metric(after)).toBe("0");
});
