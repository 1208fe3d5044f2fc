import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { AccessAudit } from "#services/api/access/audit.ts";
import { eventually } from "#test/support/eventually.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

it("keeps the same refusal of the same caller once a minute", async () => {
  let now = 0;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const audit = new AccessAudit({
    db: database.db,
    log: silentLogger,
    metrics: noMetrics,
    clock,
  });
  const refused = (caller: Caller, what: string) =>
    audit.refused(caller, what.split(" ")[0]!, what);
  const ada: Caller = { kind: "user", name: "ada", provider: "ldap", address: "192.0.2.1" };
  const storedEvents = async () =>
    (await database.db.query<{ v: string }>(
      "SELECT actor || ' ' || subject || ' ' || address AS v FROM audit_event WHERE type = 'REFUSED' ORDER BY id",
    )).map(({ v }) => v);
  refused(ada, "TAG_CREATE is required");
  refused(ada, "TAG_CREATE is required");
  await eventually(async () =>
    expect(await storedEvents()).toEqual(["ada TAG_CREATE is required 192.0.2.1"])
  );
  refused(ada, "TAG_DELETE is required");
  await eventually(async () => expect(await storedEvents()).toHaveLength(2));
  refused(ada, "TAG_DELETE on data entity 1 is required");
  for (let id = 2; id < 50; id++) refused(ada, `TAG_DELETE on data entity ${id} is required`);
  now += 60_000;
  refused(ada, "TAG_CREATE is required");
  await eventually(async () => expect(await storedEvents()).toHaveLength(3));
});
