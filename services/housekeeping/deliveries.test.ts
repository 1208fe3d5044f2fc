import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sweeper } from "#services/housekeeping/testing/sweep.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

const cutoff = new Date("2030-03-01T00:00:00.000Z");
const older = "2030-02-28T23:59:59.999Z";
const exact = cutoff.toISOString();

let t: TestDatabase;
const sweep = sweeper(() => t);
beforeEach(async () => void (t = await testDatabase()));
afterEach(() => t.drop());

/** Inserts an alert change of that time with one delivery, which ended then unless it is pending. */
async function insertDelivery(event: number, at: string, state: string): Promise<void> {
  await t.db.query(
    `INSERT INTO notification (event_id, alert_id, alert_type, event_type, event_at, state, message,
                               created_at)
     VALUES ($1, $1, 3, 'CREATED', $2, 'announced', '{}', $2)`,
    [event, at],
  );
  await t.db.query(
    `INSERT INTO delivery (id, event_id, alert_id, channel, recipient, state, created_at, ended_at)
     VALUES (gen_random_uuid(), $1, $1, 'chat', 'x', $3, $2,
             CASE WHEN $3 <> 'pending' THEN $2::timestamptz END)`,
    [event, at, state],
  );
  await t.db.query(
    `INSERT INTO delivery_attempt (delivery_id, number)
     SELECT id, 1 FROM delivery WHERE event_id = $1`,
    [event],
  );
}

const count = async (table: string) =>
  (await t.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n;

describe("retention of the delivery log", () => {
  it("fails what waits for longer than it is stored, so that it is seen and can end", async () => {
    await insertDelivery(1, older, "pending");
    await insertDelivery(2, exact, "pending");
    expect(await sweep("overdue-deliveries", cutoff, 10)).toBe(1);
    expect(await t.db.query("SELECT event_id, state, reason FROM delivery ORDER BY 1")).toEqual([
      { event_id: 1, state: "failed", reason: "not delivered in time" },
      { event_id: 2, state: "pending", reason: null },
    ]);
  });

  it("removes deliveries with their attempts by their end, in batches, but never what waits", async () => {
    await insertDelivery(1, older, "delivered");
    await insertDelivery(2, older, "failed");
    await insertDelivery(3, older, "pending");
    await insertDelivery(4, exact, "delivered");
    expect(await sweep("deliveries", cutoff, 1)).toBe(1);
    expect(await sweep("deliveries", cutoff, 10)).toBe(1);
    expect(await t.db.query("SELECT event_id FROM delivery ORDER BY 1"))
      .toEqual([{ event_id: 3 }, { event_id: 4 }]);
    expect(await count("delivery_attempt")).toBe(2);
  });

  it("forgets messages that have no delivery left, and last that they were told", async () => {
    await insertDelivery(1, older, "delivered");
    await insertDelivery(2, older, "pending");
    await sweep("deliveries", cutoff, 10);
    expect(await sweep("known-changes", cutoff, 10)).toBe(0);
    expect(await sweep("messages", cutoff, 10)).toBe(1);
    expect(await sweep("messages", cutoff, 10)).toBe(0);
    expect(
      await t.db.query("SELECT event_id, message IS NULL AS gone FROM notification ORDER BY 1"),
    )
      .toEqual([{ event_id: 1, gone: true }, { event_id: 2, gone: false }]);
    expect(await sweep("known-changes", cutoff, 10)).toBe(1);
    expect(await count("notification")).toBe(1);
  });

  it("removes silences that ended before", async () => {
    await t.db.query("INSERT INTO silence (entity_id, until) VALUES (1, $1), (2, $2)", [
      older,
      exact,
    ]);
    expect(await sweep("silences", cutoff, 10)).toBe(1);
    expect(await t.db.query("SELECT entity_id FROM silence")).toEqual([{ entity_id: 2 }]);
  });
});
