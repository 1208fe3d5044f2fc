import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { distributed } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { type OwnEngine, startPostgres, startRedis } from "#test/support/engines/own-engines.ts";

const started: OwnEngine[] = [];
afterAll(() => Promise.all(started.map((engine) => engine.stop())));

test("startPostgres: committed rows and the address outlive a kill", async () => {
  const own = await startPostgres();
  started.push(own);
  await query(own.url, "CREATE TABLE kept AS SELECT 7 AS n");
  await own.kill();
  await expect(query(own.url, "SELECT 1")).rejects.toThrow();
  await own.restart();
  expect(await query(own.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
});

test("startPostgres: a paused server neither answers nor accepts until it is woken", async () => {
  const own = await startPostgres();
  started.push(own);
  const open = new pg.Client({ connectionString: own.url, query_timeout: 300 });
  await open.connect();
  await own.pause();
  await expect(open.query("SELECT 1")).rejects.toThrow("timeout");
  await expect(query(own.url, "SELECT 1", 300)).rejects.toThrow();
  own.resume();
  await open.end();
  expect(await eventually(() => query(own.url, "SELECT 1 AS n"))).toEqual([{ n: 1 }]);
});

if (distributed()) {
  test("startRedis: values and the address outlive a kill", async () => {
    const own = await startRedis();
    started.push(own);
    const client = new Redis(own.url);
    client.on("error", () => {});
    await client.set("kept", "7");
    await own.kill();
    await own.restart();
    expect(await client.get("kept")).toBe("7");
    client.disconnect();
  });
}

async function query(url: string, sql: string, timeout = 5_000): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeout });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
