import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#contract/actor.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const ada: Actor = { kind: "user", name: "ada", provider: "ldap" };
const renamed = (name: string, entityId = 1) =>
  ({ type: "BUSINESS_NAME_UPDATED", entityId, after: { internal_name: name } }) as const;

const told = () =>
  t.db.query(
    `SELECT created_by AS by, created_by_provider AS provider, new_state->'business_name'->>'internal_name' AS name
       FROM activity ORDER BY id`,
  );

/** The database, recording the statements that its transactions run. */
function watched(statements: string[]): Database {
  const watch = (tx: Transaction): Transaction => ({
    kind: "transaction",
    query: (statement, values) => {
      statements.push(typeof statement === "string" ? statement : statement.text);
      return tx.query(statement, values);
    },
  });
  const transaction = <T>(work: (tx: Transaction) => Promise<T>) =>
    t.db.transaction((tx) => work(watch(tx)));
  return { transaction } as unknown as Database;
}

describe("changing", () => {
  it("writes what was told of last: search, activity, and lineage at the very end", async () => {
    const { changed: id } = await insertEntities(t.db, ["changed"]);
    const statements: string[] = [];
    await changing({ db: watched(statements) }, ada, async (change) => {
      change.moved([id!, id!]);
      change.searchable([id!]);
      change.record(renamed("first", id!), renamed("second", id!));
      await change.tx.query("SELECT 'work'");
    });
    const order = [/'work'/, /refresh_search_documents/, /INSERT INTO activity/, /lineage_append/];
    expect(statements).toHaveLength(order.length);
    order.forEach((step, at) => expect(statements[at]).toMatch(step));
    expect(await told()).toEqual([
      { by: "ada", provider: "ldap", name: "first" },
      { by: "ada", provider: "ldap", name: "second" },
    ]);
  });

  it("leaves search to the background where a change is about more than 500 entities", async () => {
    const statements: string[] = [];
    await changing({ db: watched(statements) }, ada, (change) => {
      change.searchable(Array.from({ length: 501 }, (_, n) => n + 1_000_000));
      return Promise.resolve();
    });
    expect(statements).toEqual([expect.stringContaining("queue_search_documents")]);
    const waiting = await t.db.query(
      "SELECT cardinality(entity_ids) AS ids FROM search_document_queue ORDER BY id",
    );
    expect(waiting).toEqual([{ ids: 500 }, { ids: 1 }]);
  });

  it("does nothing more for a change that tells of nothing", async () => {
    const statements: string[] = [];
    const change = () => Promise.resolve("done");
    expect(await changing({ db: watched(statements) }, ada, change)).toBe("done");
    expect(statements).toEqual([]);
  });

  it("tells of nothing when the work fails", async () => {
    const before = await told();
    const failing = changing(t, ada, (change) => {
      change.record(renamed("never"));
      return Promise.reject(new Error("no"));
    });
    await expect(failing).rejects.toThrow("no");
    expect(await told()).toEqual(before);
  });

  it("begins anew, with nothing told yet, when it lost against another", async () => {
    const before = await told();
    let attempts = 0;
    await changing(t, ada, (change) => {
      change.record(renamed(`attempt ${++attempts}`));
      const lost = Object.assign(new Error("deadlock"), { code: "40P01" });
      return attempts === 1 ? Promise.reject(lost) : Promise.resolve();
    });
    expect((await told()).slice(before.length).map(({ name }) => name)).toEqual(["attempt 2"]);
  });
});
