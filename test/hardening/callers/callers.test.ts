import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { removed } from "#test/support/engines/directory.ts";
import { distributed, redisUrl } from "#test/support/engines/engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { isLongRun, sized } from "#test/support/size.ts";
import { callersEnv, type Ground, hashes, prepared } from "./ground.ts";
import { honestCallers } from "./honest.ts";
import { startHostileCaller } from "./hostile.ts";
import { hostilities } from "./hostilities.ts";

const forMs = sized(1_000, 4_000);
const honestWork = ["download", "lineage", "search", "signIn", "upload", "whoami"];

/** Processes of `api` side by side, and what they share next to the database. */
const layouts: [name: string, replicas: number, env: () => Record<string, string>][] = [
  ["one process", 1, () => ({})],
  ...(isLongRun && distributed()
    ? [["two replicas with Redis", 2, () => ({ CACHE_REDIS_URL: redisUrl() })]] as [
      string,
      number,
      () => Record<string, string>,
    ][]
    : []),
];

describe.each(layouts)("one hostile caller beside four honest ones, %s", (_, replicas, env) => {
  let database: TestDatabase;
  let services: ServiceProcess[] = [];
  let ground: Ground;
  const folder = mkdtempSync(join(tmpdir(), "tributary-callers-"));
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    database = await testDatabase();
    const shared = {
      INSTANCE: database.name,
      METADATA_POSTGRES_URL: database.url,
      DATA_DIR: folder,
      ...callersEnv(hashes.cheap),
      ...env(),
    };
    services = await Promise.all(
      Array.from({ length: replicas }, () => startService({ service: "api", env: shared })),
    );
    ground = await prepared(database.db, services.map(({ url }) => url));
  });
  afterAll(async () => {
    for (const service of services) await service.terminate();
    await database?.drop();
    await removed(folder);
  });

  it.each(Object.keys(hostilities))("%s: nobody honest is refused", async (kind) => {
    const hostile = await startHostileCaller(ground, kind);
    const seen = await honestCallers(ground, forMs);
    expect((await hostile.stop()).attempts).toBeGreaterThan(0);
    expect(seen.failures).toEqual([]);
    expect([...seen.times.keys()].sort()).toEqual(honestWork);
  });
});
