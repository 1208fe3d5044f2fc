import { afterAll, beforeAll, expect, it } from "vitest";
import { createAlerts } from "#metadata/catalogue/alerts.ts";
import { type Harness, harness, source, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

/** Raises an alert about a data source at a time in milliseconds; its id. */
async function raise(catrn: string, ms: number): Promise<number> {
  const [row] = await at.rows<{ id: number }>("SELECT id FROM data_source WHERE catrn = $1", catrn);
  const alert = {
    entityId: null,
    messengerId: null,
    type: "AGENT_ERROR" as const,
    dataSourceId: row!.id,
    chunks: [],
    resolved: false,
  };
  const raised = new Date(ms).toISOString();
  const [id] = await at.db.transaction((tx) => createAlerts(tx, [alert], raised));
  return id!;
}
const statusOf = async (id: number) =>
  (await at.rows<{ s: string }>(
    "SELECT alert_status_name(status) AS s FROM alert WHERE id = $1",
    id,
  ))[0]!
    .s;

it("a batch resolves the alerts about its source that are older than it, and no others", async () => {
  const now = Date.now();
  const [mine, other] = [await raise(source, now), await raise("//other", now)];
  await at.post([table("//warehouse/a")], { receivedAt: now - 1 });
  expect(await statusOf(mine)).toBe("OPEN");
  await at.post([table("//warehouse/a")], { receivedAt: now });
  expect([await statusOf(mine), await statusOf(other)]).toEqual(["RESOLVED_AUTOMATICALLY", "OPEN"]);
  const events = await at.rows(
    "SELECT event_type, entity_id FROM alert_event WHERE alert_id = $1 ORDER BY id",
    mine,
  );
  expect(events).toEqual([
    { event_type: "CREATED", entity_id: null },
    { event_type: "RESOLVED_AUTOMATICALLY", entity_id: null },
  ]);
});

it("a batch that is refused resolves nothing", async () => {
  const id = await raise(source, Date.now());
  await at.post([{ catrn: "//warehouse/b", type: "TABLE" }], { receivedAt: Date.now() });
  expect(await statusOf(id)).toBe("OPEN");
});
