import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "#kit/errors.ts";
import { classify, Database } from "#metadata/postgres/database.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type TcpProxy, tcpProxy } from "#test/support/engines/tcp-proxy.ts";

describe("Database over a faulty connection", () => {
  let test: TestDatabase;
  let proxy: TcpProxy;
  let db: Database;
  beforeAll(async () => {
    test = await testDatabase();
    proxy = await tcpProxy(test.url);
    db = new Database({
      url: proxy.url,
      max: 2,
      statementTimeoutMs: 200,
      applicationName: "test of a bad line",
    });
  });
  afterAll(async () => {
    await proxy.close();
    await db.close();
    await test.drop();
  });

  it("query and transaction answer 503 when the server hangs, and work again after it", async () => {
    await db.query("SELECT 1");
    proxy.freeze();
    const failures = await Promise.all([
      db.query("SELECT 1").catch((error) => error),
      db.transaction((tx) => tx.query("SELECT 1")).catch((error) => error),
    ]);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(AppError);
      expect(failure).toMatchObject({ status: 503, retryable: true });
    }
    await proxy.open();
    expect(await db.query("SELECT 1 AS n")).toEqual([{ n: 1 }]);
    expect(await db.transaction((tx) => tx.query("SELECT 2 AS n"))).toEqual([{ n: 2 }]);
  });

  it("a transaction that the server ended for its idleness counts as an outage", async () => {
    const failure = await db.transaction(async (tx) => {
      await tx.query("SET LOCAL idle_in_transaction_session_timeout = 50");
      await new Promise((asleep) => setTimeout(asleep, 300));
      await tx.query("SELECT 1");
    }).catch((error) => error);
    expect(classify(failure.cause)).toBe("pause");
    expect(failure).toMatchObject({ status: 503 });
  });
});
