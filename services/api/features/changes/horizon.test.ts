import { afterEach, expect, inject, it } from "vitest";
import { Database } from "#metadata/postgres/database.ts";
import { changesUnderTest, entitiesOf } from "#services/api/features/changes/testing/harness.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";

const t = changesUnderTest();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Begins a transaction with this statement; returns what ends it. */
function begun(db: Database, statement: string): Promise<() => Promise<void>> {
  return new Promise((started, failed) => {
    const over = Promise.withResolvers<void>();
    const running = db.transaction(async (tx) => {
      await tx.query(statement);
      const end = async () => {
        over.resolve();
        await running;
      };
      ends.push(end);
      started(end);
      await over.promise;
    });
    running.catch(failed);
  });
}

/** A client who knows where it is. */
async function follower() {
  const client = await t.replica().follow("?types=activity");
  await eventually(() => expect(client.lastId).not.toBe(""));
  return client;
}

it("transactions of other databases hold nobody up, nor do those that write nothing", async () => {
  const elsewhere = await testDatabase();
  const client = await follower();
  await begun(elsewhere.db, "SELECT pg_current_xact_id()");
  await begun(t.db, "SELECT 1 FROM change");
  await t.happens(1);
  await eventually(() => expect(entitiesOf(client)).toEqual([1]), { within: 3_000 });
  expect(await t.trim(0)).toBe(1);
  for (const end of ends.splice(0)) await end();
  await elsewhere.drop();
});

it("one of this database does, also of another role: it may still write what belongs before", async () => {
  const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${t.name}` }).href;
  const asSuperuser = new Database({
    url,
    max: 1,
    statementTimeoutMs: 30_000,
    applicationName: "another role",
  });
  const client = await follower();
  const end = await begun(asSuperuser, "SELECT pg_current_xact_id()");
  await t.happens(2);
  const early = await t.replica().follow("?types=activity&wait=1");
  expect(await early.end()).toBe("ended");
  expect([...entitiesOf(client), ...entitiesOf(early)]).toEqual([]);
  await end();
  await eventually(() => expect(entitiesOf(client)).toEqual([2]));
  await asSuperuser.close();
});
