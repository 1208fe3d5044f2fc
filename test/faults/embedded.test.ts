import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { type OpenContext, openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import { type ServiceProcess, startService } from "#test/support/processes.ts";
import { seeded } from "#test/support/random.ts";
import { expectHolds } from "./holds.ts";
import { poisonRecords } from "./poison.ts";
import { produce } from "./producer.ts";
import { settled } from "./stack.ts";

const kills = 5;

describe("faults, embedded engines", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tributary-faults-"));
  chmodSync(dataDir, 0o755);
  const env = { INSTANCE: "faults", DATA_DIR: dataDir };
  let all: ServiceProcess;
  let looking: OpenContext | undefined;
  /** Opened anew after each restart, since the server takes another port. */
  const look = async () => {
    await looking?.close();
    const config = loadConfig({ env });
    const options = { config, log: silentLogger, metrics: noMetrics, embedded: "attach" as const };
    return looking = await openContext(options);
  };
  beforeAll(async () => {
    all = await startService({ service: "all", env });
    await look();
  });
  afterAll(async () => {
    await looking?.close();
    await all?.terminate();
    rmSync(dataDir, { recursive: true, force: true });
  });

  poisonRecords(() => ({ url: all.url, looking: looking! }));

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
    await settled(await look());
    await expectHolds(looking!.context.db, model, "//chaos/");
    expect(all.ends()).toBe(0);
  });

  it("told to stop it ends in order, its PostgreSQL with it", async () => {
    expect(await all.terminate()).toMatchObject({ code: 0 });
    await all.start();
  });
});
