import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Database } from "#metadata/postgres/database.ts";
import { comparingMs, HistoryGuard } from "#metadata/postgres/history/guard.ts";
import { decodeMark } from "#metadata/postgres/history/mark.ts";
import * as sql from "#metadata/postgres/history/queries.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { silentLogger } from "#kit/log.ts";
import { type FailoverPostgres, startFailoverPostgres } from "#test/support/engines/failover.ts";
import { eventually } from "#test/support/eventually.ts";
import { recordingLogger } from "#test/support/log.ts";

/** A process: what it knows of commits, and its connections. */
function processOn(url: string, holder: string, clock: Clock = systemClock) {
  const { log, lines } = recordingLogger();
  const guard = new HistoryGuard({ holder, log, metrics: noMetrics, clock });
  const options = { max: 4, statementTimeoutMs: 10_000, applicationName: holder };
  return { db: new Database({ url, ...options, guard }), guard, lines };
}

const write = (db: Database, name: string) =>
  db.transaction((tx) => tx.query("INSERT INTO owner (name) VALUES ($1)", [name]));
const names = async (db: Database) =>
  (await db.query<{ name: string }>("SELECT name FROM owner ORDER BY name")).map((r) => r.name);
const accept = async (url: string) => {
  const db = new Database({ url, max: 1, statementTimeoutMs: 5_000, applicationName: "accept" });
  await db.query(
    `UPDATE server_history SET accepted_at = clock_timestamp() WHERE missed_at IS NOT NULL`,
  );
  await db.close();
};

describe("a replica that is promoted", () => {
  let postgres: FailoverPostgres;
  const open: Database[] = [];
  const started = (holder: string) => {
    const process = processOn(postgres.url, holder);
    open.push(process.db);
    return process;
  };
  beforeAll(async () => {
    postgres = await startFailoverPostgres();
    await migrate(postgres.url, silentLogger);
  });
  afterAll(async () => {
    await Promise.all(open.map((db) => db.close()));
    await postgres?.stop();
  });

  it("is used after a moment when it has every commit, and its process remembers across it", async () => {
    const { db, guard, lines } = started("whole");
    await write(db, "before");
    const mark = decodeMark(guard.mark()!)!;
    await postgres.replicate();
    await postgres.failOver();
    await expect(db.query("SELECT 1")).rejects.toThrow();
    await eventually(async () => expect(await names(db)).toEqual(["before"]), {
      within: comparingMs + 10_000,
    });
    await write(db, "after");
    expect(decodeMark(guard.mark()!)!.history).not.toBe(mark.history);
    expect(lines.some(({ level }) => level === "error")).toBe(false);
  });
});
