import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenContext } from "#platform/compose.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { openObserver } from "#test/support/engines/observer.ts";
import { eventually } from "#test/support/eventually.ts";
import { seeded } from "#test/support/random.ts";
import { sized } from "#test/support/size.ts";
import { Shop } from "./client.ts";
import { expectHolds } from "./holds.ts";
import { poisonRecords } from "./poison.ts";
import { produce } from "./producer.ts";
import { settled } from "./stack.ts";
import { removed } from "#test/support/engines/directory.ts";

const kills = sized(2, 30);

/** Milliseconds in which an orderly stop must be done; an orchestrator kills after 30 s. */
const stopWithinMs = 25_000;

describe("faults, embedded engines", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tributary-faults-"));
  chmodSync(dataDir, 0o755);
  const env = { INSTANCE: "faults", DATA_DIR: dataDir };
  let all: ServiceProcess;
  let observer: OpenContext | undefined;
  /** Opened again after each restart, since the server takes another port. */
  const observeAgain = async () => {
    await observer?.close();
    return observer = await openObserver(env);
  };
  beforeAll(async () => {
    all = await startService({ service: "all", env });
    await observeAgain();
  });
  afterAll(async () => {
    await observer?.close();
    await all?.terminate();
    await removed(dataDir);
  });

  poisonRecords(() => ({ url: all.url, observer: observer! }));

  const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 100_000);
  it(`killed ${kills} times on one directory: all that was acknowledged is there once (seed ${seed})`, async () => {
    const over = new AbortController();
    const sources = ["a", "b", "c"].map((name) => `//chaos/${name}`);
    const producing = produce({ urls: [all.url], sources, seed, until: over.signal });
    const random = seeded(seed);
    const killing = async () => {
      for (let n = 0; n < kills; n++) {
        await new Promise((done) => setTimeout(done, 200 + random() * 1_500));
        await all.kill();
        await all.start();
      }
    };
    await Promise.race([killing(), producing]);
    over.abort();
    const { model } = await producing;
    await settled(await observeAgain());
    await expectHolds(observer!.context.db, model, "//chaos/");
    expect(all.ends()).toBe(0);
  });

  it("a process of its PostgreSQL is killed: it goes on by itself", async () => {
    const shop = new Shop(all.url, "//faults/backend");
    await shop.open();
    const { db } = observer!.context;
    // On another connection, which the server ends when it notices that a process was killed.
    const ended = expect(db.query("SELECT pg_sleep(60)")).rejects.toThrow();
    const [row] = await db.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    process.kill(row!.pid, "SIGKILL");
    await ended;
    await eventually(async () => {
      const posted = await shop.post("job2", "b", "c");
      expect(posted.headers.get("x-ingestion-state")).toBe("applied");
    });
    expect(await shop.fed("a")).toEqual(["a", "b", "c", "job", "job2"]);
    expect(all.ends()).toBe(0);
  });

  it("its PostgreSQL is killed: it ends as well, and is whole when it is started again", async () => {
    const shop = new Shop(all.url, "//faults/server");
    await shop.open();
    const lock = join(dataDir, "postgres", "cluster", "postmaster.pid");
    process.kill(Number(readFileSync(lock, "utf8").split("\n")[0]), "SIGKILL");
    await eventually(() => expect(all.ends()).toBe(1));
    await all.start();
    expect(await shop.fed("a")).toEqual(["a", "b", "job"]);
    expect((await shop.post("job2", "b", "c")).headers.get("x-ingestion-state")).toBe("applied");
  });

  it("told to stop amid posts it answers them and ends; what it took is there afterwards", async () => {
    const shop = new Shop(all.url, "//faults/stop");
    await shop.open();
    const names = Array.from({ length: 20 }, (_, n) => `job${n}`);
    const posted = names.map((name) => shop.post(name, "b", "c").then((a) => a.status, () => 0));
    await Promise.race(posted);
    const { ms, code } = await all.terminate();
    expect([code, ms < stopWithinMs]).toEqual([0, true]);
    const statuses = await Promise.all(posted);
    await all.start();
    await settled(await observeAgain());
    const fed = await shop.fed("b");
    const taken = names.filter((_, at) => statuses[at] === 200);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter((name) => !fed.includes(name))).toEqual([]);
  });
});
