import { beforeEach, expect, it } from "vitest";
import { purgeDeleted } from "#services/housekeeping/purge.ts";
import { retained } from "#services/housekeeping/retention.queries.ts";
import { sweep, sweepOnce } from "#services/housekeeping/retention.ts";
import { Config } from "#platform/config/schema.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { reply, seedThread } from "#test/support/chat/events.ts";
import { collaboration, running } from "#test/support/chat/collaboration.ts";

const c = collaboration();
let entity: number;
let root: string;

/** A thread of January 2027 with a reply a minute later. */
beforeEach(async () => {
  entity = await seedEntity(c.t.db);
  root = await seedThread(c.t.db, entity);
  c.chat.users.set("U1", { name: "ada" });
  await c.api.post("/api/chat/events", reply("1800000060.000000"));
  await running([c.processor()], async () => {
    await eventually(async () => expect(await c.messages()).toHaveLength(2));
  });
});

it("a purged entity takes its threads with it, and no others", async () => {
  const other = await seedEntity(c.t.db);
  const remaining = await c.post(other, "stays");
  await c.post(entity, "goes, though it waits");
  const gone = "status = 5, status_updated_at = now() - interval '40 days'";
  await c.t.db.query(`UPDATE data_entity SET ${gone} WHERE id = $1`, [entity]);
  const { removed } = await purgeDeleted(c.t.db, new Date(), 10);
  expect(removed).toBe(1);
  expect((await c.messages()).map(({ id }) => id)).toEqual([remaining]);
});

it("a deleted entity keeps its threads, to be there when it is restored", async () => {
  await c.t.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [entity]);
  const { json } = await c.api.get(`/api/dataentities/${entity}/messages?size=1`);
  expect(json.items[0].id).toBe(root);
});

it("a reply to a thread whose entity is gone meanwhile is forgotten", async () => {
  await c.api.post("/api/chat/events", reply("1800000070.000000"));
  await c.t.db.query("DELETE FROM message");
  await running([c.processor()], async () => {
    await eventually(async () => {
      expect(await c.t.db.query("SELECT FROM chat_event")).toEqual([]);
    });
  });
  expect(await c.messages()).toEqual([]);
});

it.each([
  ["until its last reply is older than messages_days", "2027-01-31T08:00:30Z", 1, 2],
  ["no longer", "2027-01-31T08:02:00Z", 1, 0],
  ["for three years without the key", "2029-12-31T00:00:00Z", undefined, 2],
  ["no longer than that", "2050-01-01T00:00:00Z", undefined, 0],
])("a thread is stored %s", async (_, now, key, left) => {
  const messages_days = key && 16;
  const row = retained.find(({ name }) => name === "discussions")!;
  const config = Config.parse({ housekeeping: { ttl: { messages_days } } });
  for await (const _ of sweep({ ...c.context, config }, row, new Date(now), 100));
  expect(await c.messages()).toHaveLength(left);
});

it("a reply that could not be taken in is retained for chat_events_days", async () => {
  const row = retained.find(({ name }) => name === "chat-events")!;
  await c.t.db.query(
    `INSERT INTO chat_event (event_id, state, channel_id, thread_id, provider_id, text, received_at)
     SELECT state, state, 'C1', '1.0', '2.0', 'x', '2027-01-01'
       FROM unnest(ARRAY['PENDING', 'PROCESSING_FAILED']) AS state`,
  );
  await sweepOnce(c.context, row, new Date("2027-02-01T00:00:00Z"), 100);
  const rows = await c.t.db.query<{ state: string }>("SELECT state FROM chat_event");
  expect(rows).toEqual([{ state: "PENDING" }]);
});
