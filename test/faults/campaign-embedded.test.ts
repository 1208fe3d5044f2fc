import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { removed } from "#test/support/engines/directory.ts";
import { fakeClock } from "#test/support/engines/fake-clock.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { smallDisk } from "#test/support/engines/small-disk.ts";
import { freeze } from "#test/support/engines/freeze.ts";
import { openObserver } from "#test/support/engines/observer.ts";
import { eventually } from "#test/support/eventually.ts";
import { send } from "../../tools/engines/process.mjs";
import { campaign, clockJump, type FaultKind, fullDisk, slowDisk, stopped } from "./fault-kinds.ts";
import { expectHolds } from "./holds.ts";
import { produce } from "./producer.ts";
import { settled } from "./stack.ts";

const faults = 100;
const disk = smallDisk(2_048);
const clock = fakeClock();
const dataDir = disk ? join(disk.path, "data") : mkdtempSync(join(tmpdir(), "tributary-faults-"));
mkdirSync(dataDir, { recursive: true });
chmodSync(dataDir, 0o755);
const env = { INSTANCE: "faults", DATA_DIR: dataDir, ...clock?.env };

let all: ServiceProcess;
beforeAll(async () =>
  void (all = await startService({ service: "all", env, readyWithin: 600_000 }))
);
afterAll(async () => {
  disk?.free();
  await all?.terminate();
  clock?.remove();
  if (disk) disk.unmount();
  else await removed(dataDir);
});

/** The processes of the packaged PostgreSQL; none while it does not run. */
function postgres(): number[] {
  try {
    const lock = readFileSync(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8");
    const main = Number(lock.split("\n")[0]);
    const isChild = (pid: string) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")[1] ===
          String(main);
      } catch {
        return false;
      }
    };
    return [main, ...readdirSync("/proc").filter((n) => /^\d+$/.test(n) && isChild(n)).map(Number)];
  } catch {
    return [];
  }
}

function kinds(): FaultKind[] {
  let frozen: number[] = [];
  const server = {
    pause: () => freeze(...(frozen = postgres())),
    resume: () => frozen.forEach((pid) => send(pid, "SIGCONT")),
  };
  const found = [
    stopped("the process", all),
    clock && clockJump("the process", clock),
    slowDisk("PostgreSQL", postgres),
    stopped("PostgreSQL", server),
    disk && fullDisk("the process", disk),
  ];
  if (!clock) console.log("Not struck: a jump of the clock, which needs libfaketime");
  if (!disk) console.log("Not struck: a full disk, which needs root");
  return found.filter((kind) => kind !== null);
}

const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 100_000);
it(`${faults} faults of a machine: all that was acknowledged is there once (seed ${seed})`, async () => {
  const over = new AbortController();
  const sources = ["a", "b", "c"].map((name) => `//campaign/${name}`);
  const producing = produce({ urls: [all.url], sources, seed, until: over.signal });
  let posted = 0;
  const calm = async () => {
    const before = ++posted;
    await eventually(async () => {
      const items = [{ catrn: `//calm/${before}`, name: `calm ${before}` }];
      const response = await fetch(`${all.url}/ingestion/datasources`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ items }),
        signal: AbortSignal.timeout(20_000),
      });
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    }, { within: 240_000, describe: () => all.output().slice(-10) });
  };
  const striking = campaign(kinds(), { count: faults, seed, calm });
  await Promise.race([striking, producing]);
  over.abort();
  const { model } = await producing;
  console.log(JSON.stringify(Object.fromEntries(await striking)));
  const observer = await openObserver(env);
  try {
    await settled(observer);
    await expectHolds(observer.context.db, model, "//campaign/");
  } finally {
    await observer.close();
  }
});
