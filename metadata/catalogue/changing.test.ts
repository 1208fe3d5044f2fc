import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#contract/actor.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { recordAudit } from "#metadata/catalogue/audit.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { recordingLogger } from "#test/support/log.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const ada: Actor = { kind: "user", name: "ada", provider: "ldap" };
const renamed = (name: string, entityId = 1) =>
  ({ type: "BUSINESS_NAME_UPDATED", entityId, after: { internal_name: name } }) as const;

const recordedChanges = () =>
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
    expect(await recordedChanges()).toEqual([
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
      "SELECT cardinality(ids) AS ids FROM search_document_queue ORDER BY id",
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
    const before = await recordedChanges();
    const failing = changing(t, ada, (change) => {
      change.record(renamed("never"));
      return Promise.reject(new Error("no"));
    });
    await expect(failing).rejects.toThrow("no");
    expect(await recordedChanges()).toEqual(before);
  });

  it("starts again, with nothing told yet, when it lost against another", async () => {
    const before = await recordedChanges();
    let attempts = 0;
    await changing(t, ada, (change) => {
      change.record(renamed(`attempt ${++attempts}`));
      const lost = Object.assign(new Error("deadlock"), { code: "40P01" });
      return attempts === 1 ? Promise.reject(lost) : Promise.resolve();
    });
    expect((await recordedChanges()).slice(before.length).map(({ name }) => name)).toEqual([
      "attempt 2",
    ]);
  });
});

describe("what is audited", () => {
  const storedDocuments = () =>
    t.db.query("SELECT type, actor, address, subject FROM audit_event ORDER BY id");
  const caller = { ...ada, address: "10.0.0.1", credential: "session" };
  const line = (subject: string) => ({
    level: "info",
    message: "audit",
    fields: {
      type: "TOKEN_MINTED",
      actor: "ada",
      provider: "ldap",
      kind: "user",
      address: "10.0.0.1",
      subject,
    },
  });

  it("is stored with the change, and logged once it is committed, each a line", async () => {
    const { log, lines } = recordingLogger();
    let attempts = 0;
    await changing({ db: t.db, log }, caller, (change) => {
      change.audit("TOKEN_MINTED", `attempt ${++attempts}`);
      expect(lines).toEqual([]);
      const lost = Object.assign(new Error("deadlock"), { code: "40P01" });
      return attempts === 1 ? Promise.reject(lost) : Promise.resolve();
    });
    expect(lines).toEqual([line("attempt 2")]);
    const { type, actor, address, subject } = line("attempt 2").fields;
    expect(await storedDocuments()).toEqual([{ type, actor, address, subject }]);
  });

  it("is neither kept nor logged when the change fails", async () => {
    const before = await storedDocuments();
    const { log, lines } = recordingLogger();
    const failing = changing({ db: t.db, log }, caller, (change) => {
      change.audit("TOKEN_MINTED", "never");
      return change.tx.query("SELECT 1 / 0");
    });
    await expect(failing).rejects.toThrow();
    expect([await storedDocuments(), lines]).toEqual([before, []]);
  });

  it("cannot go unlogged: a change without a log that audits is refused", async () => {
    const before = await storedDocuments();
    const silent = changing({ db: t.db }, caller, (change) => {
      change.audit("TOKEN_MINTED", "unlogged");
      return Promise.resolve();
    });
    await expect(silent).rejects.toThrow("needs a context with a log");
    expect(await storedDocuments()).toEqual(before);
  });

  it("may be no change, and name what nobody could store: it is made storable and short", async () => {
    const { log, lines } = recordingLogger();
    const name = `a\0${"b".repeat(600)}`;
    await recordAudit({ db: t.db, log }, {
      type: "SIGN_IN_FAILED",
      actor: { ...ada, name },
      subject: "\ud800",
    });
    const stored = `a\uFFFD${"b".repeat(498)}`;
    expect((await storedDocuments()).at(-1)).toMatchObject({ actor: stored, subject: "\uFFFD" });
    expect(lines).toMatchObject([{ fields: { actor: stored, address: null } }]);
  });
});
