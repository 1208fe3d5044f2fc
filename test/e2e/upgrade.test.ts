import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import { checkOutLastRelease, type LastRelease } from "#test/support/last-release.ts";
import { removed } from "#test/support/engines/directory.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { expectHolds } from "../faults/holds.ts";
import { produce } from "../faults/producer.ts";
import { settled } from "../faults/stack.ts";

let last: LastRelease;
const dataDir = mkdtempSync(join(tmpdir(), "tributary-upgrade-"));
const running: ServiceProcess[] = [];
beforeAll(() => {
  last = checkOutLastRelease();
  chmodSync(dataDir, 0o755);
});
afterAll(async () => {
  for (const service of running) await service.kill();
  last?.remove();
  await removed(dataDir);
});

const env = { INSTANCE: "upgrade", DATA_DIR: dataDir };

/** Starts a release on the data directory at the one address that collectors know. */
async function start(port: number, checkout?: string): Promise<ServiceProcess> {
  const name = checkout ? "last release" : "this release";
  const service = await startService({
    service: "all",
    name,
    env,
    checkout,
    port,
    readyWithin: 240_000,
  });
  running.push(service);
  return service;
}

async function expectModel(model: Parameters<typeof expectHolds>[1]): Promise<void> {
  const options = { log: silentLogger, metrics: noMetrics, embedded: "attach" as const };
  const observer = await openContext({ ...options, config: loadConfig({ env }), migrates: false });
  try {
    await settled(observer);
    await expectHolds(observer.context.db, model, "//upgrade/");
  } finally {
    await observer.close();
  }
}

it("the data directory of the last release is taken over under traffic, and given back where nothing breaks", async () => {
  const port = await freePort();
  const over = new AbortController();
  const old = await start(port, last.root);
  const sources = ["a", "b"].map((name) => `//upgrade/${name}`);
  const producing = produce({ urls: [old.url], sources, seed: 7, until: over.signal });
  const entities = async () => {
    const response = await fetch(`${old.url}/api/dataentities?page=1&size=1`);
    return (await response.json() as { page_info: { total: number } }).page_info.total;
  };
  const grown = async () => {
    const before = await entities();
    await eventually(async () => expect(await entities()).toBeGreaterThan(before));
  };
  const steps = async () => {
    await grown();
    expect((await old.terminate()).code).toBe(0);
    const now = await start(port);
    await grown();
    expect((await now.terminate()).code).toBe(0);
    if (last.isBreaking) return void await start(port);
    const back = await start(port, last.root);
    await grown();
    expect((await back.terminate()).code).toBe(0);
    await start(port);
  };
  await Promise.race([steps(), producing]);
  over.abort();
  const { model } = await producing;
  await expectModel(model);
  expect(running.map((service) => service.ends())).toEqual(running.map(() => 0));
});
