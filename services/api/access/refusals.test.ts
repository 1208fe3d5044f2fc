import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { refusalAudit } from "#services/api/access/refusals.ts";
import { eventually } from "#test/support/eventually.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

it("keeps the same refusal of the same caller once a minute", async () => {
  let now = 0;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const refused = refusalAudit({ db: database.db, log: silentLogger, clock });
  const ada: Caller = { kind: "user", name: "ada", provider: "ldap", address: "192.0.2.1" };
  const kept = async () =>
    (await database.db.query<{ v: string }>(
      "SELECT actor || ' ' || subject || ' ' || address AS v FROM audit_event WHERE type = 'REFUSED' ORDER BY id",
    )).map(({ v }) => v);
  refused(ada, "TAG_CREATE is required");
  refused(ada, "TAG_CREATE is required");
  await eventually(async () =>
    expect(await kept()).toEqual(["ada TAG_CREATE is required 192.0.2.1"])
  );
  refused(ada, "TAG_DELETE is required");
  await eventually(async () => expect(await kept()).toHaveLength(2));
  now += 60_000;
  refused(ada, "TAG_CREATE is required");
  await eventually(async () => expect(await kept()).toHaveLength(3));
});
