import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { Database } from "#metadata/postgres/database.ts";
import { HistoryGuard } from "#metadata/postgres/history/guard.ts";
import { decodeMark } from "#metadata/postgres/history/compare.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { silentLogger } from "#kit/log.ts";
import { type FailoverPostgres, startFailoverPostgres } from "#test/support/engines/failover.ts";
import { eventually } from "#test/support/eventually.ts";
import { recordingLogger } from "#test/support/log.ts";

/** Shorter than in production: the processes of this test connect at once. */
const comparingMs = 1_500;

/** A process: what it knows of commits, and its connections. */
function processOn(url: string, holder: string) {
  const { log, lines } = recordingLogger();
  const guard = new HistoryGuard({ holder, log, metrics: noMetrics, comparingMs });
  const options = { max: 4, statementTimeoutMs: 10_000, applicationName: holder };
  return { db: new Database({ url, ...options, guard }), guard, lines };
}

const write = (db: Database, name: string) =>
  db.transaction((tx) => tx.query("INSERT INTO owner (name) VALUES ($1)", [name]));

async function names(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>("SELECT name FROM owner ORDER BY name");
  return rows.map(({ name }) => name);
}

/** Waits until a process works again. */
const eventuallyHolds = (db: Database, expected: string[]) =>
  eventually(async () => expect(await names(db)).toEqual(expected), { within: 20_000 });

/** Waits until a process refuses the server for what it lacks. */
const eventuallyRefuses = (db: Database) =>
  eventually(async () => {
    await expect(names(db)).rejects.toThrow("PostgreSQL serves an older copy of the metadata");
  }, { within: 20_000 });

describe("a promoted replica", () => {
  let postgres: FailoverPostgres;
  const open: Database[] = [];
  const started = (holder: string) => {
    const process = processOn(postgres.url, holder);
    open.push(process.db);
    return process;
  };
  const withoutGuard = async <R>(work: (db: Database) => Promise<R>) => {
    const options = { max: 1, statementTimeoutMs: 5_000, applicationName: "operator" };
    const db = new Database({ url: postgres.url, ...options });
    return await work(db).finally(() => db.close());
  };
  beforeAll(async () => {
    postgres = await startFailoverPostgres();
    await migrate(postgres.url, silentLogger);
  });
  afterEach(() => Promise.all(open.splice(0).map((db) => db.close())));
  afterAll(() => postgres?.stop());

  it("is used when it has every commit, which its processes remember", async () => {
    const { db, guard, lines } = started("whole");
    await write(db, "a");
    const mark = decodeMark(guard.mark()!)!;
    await postgres.replicate();
    await postgres.failOver();
    await eventuallyHolds(db, ["a"]);
    await write(db, "b");
    expect(decodeMark(guard.mark()!)!.history).not.toBe(mark.history);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    // The former primary lacks what was committed since.
    await postgres.failBack();
    await eventuallyRefuses(db);
    await withoutGuard((db) => db.query("DELETE FROM server_history WHERE missed_at IS NOT NULL"));
  });

  it("is refused by every process, also by new ones, when a commit of one of them is missing", async () => {
    const { db, guard, lines } = started("writer");
    const other = started("reader");
    await write(db, "kept");
    expect(await names(other.db)).toEqual(["a", "kept"]);
    await postgres.replicate();
    await eventually(() => write(db, "lost"));
    const acknowledged = Date.now();
    await postgres.failOver();
    await eventuallyRefuses(db);
    await eventuallyRefuses(other.db);
    await eventuallyRefuses(started("new").db);
    await expect(write(db, "refused")).rejects.toMatchObject({ status: 503 });
    expect(guard.refusal?.state).toBe("commits_missing");
    expect(lines.filter(({ level }) => level === "error")).toMatchObject([{
      message: "PostgreSQL is refused",
      fields: { state: "commits_missing", timeline: 2, missedCommits: 1 },
    }]);
    const stored = await withoutGuard(async (db) => ({
      names: await names(db),
      history: await db.query("SELECT * FROM server_history ORDER BY timeline"),
    }));
    expect(stored.names).toEqual(["a", "kept"]);
    expect(stored.history).toMatchObject([{ timeline: 1 }, { timeline: 2, missed_by: "writer" }]);
    const { missed_until: until } = stored.history[1] as { missed_until: Date };
    expect(Math.abs(until.getTime() - acknowledged)).toBeLessThan(2_000);
    // The former primary has it.
    await postgres.failBack();
    await eventuallyHolds(db, ["a", "kept", "lost"]);
    await eventuallyHolds(other.db, ["a", "kept", "lost"]);
    await write(db, "on");
    expect(guard.refusal).toBeUndefined();
  });

  it("is used when the operator has accepted what is missing, but not when more is missing later", async () => {
    const { db } = started("writer");
    await postgres.replicate();
    await eventually(() => write(db, "unknown to the replica"));
    await postgres.failOver();
    await eventuallyRefuses(db);
    await withoutGuard((db) =>
      db.query(
        "UPDATE server_history SET accepted_at = clock_timestamp() WHERE missed_at IS NOT NULL",
      )
    );
    await eventuallyHolds(db, ["a", "kept", "lost", "on"]);
    await write(db, "after");
    await postgres.failBack();
    await eventuallyRefuses(db);
  });

  it("is refused by a process that has just started and knows of a commit from elsewhere", async () => {
    await withoutGuard((db) => db.query("DELETE FROM server_history"));
    const former = started("former");
    await postgres.replicate();
    await eventually(() => write(former.db, "noted"));
    const mark = decodeMark(former.guard.mark()!)!;
    await postgres.failOver();
    const { db, guard } = started("new");
    guard.recall([mark]);
    await eventuallyRefuses(db);
    await postgres.failBack();
    await eventually(() => write(db, "goes on"), { within: 20_000 });
    // What it learned stays known until it has committed something.
    const reader = started("noted");
    reader.guard.recall([mark]);
    await eventually(() => names(reader.db));
    expect(reader.guard.mark()).toBe(former.guard.mark());
  });
});
