import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { silentLogger } from "#kit/log.ts";
import { startEmbedded } from "#metadata/postgres/embedded.ts";
import { dropLoaded } from "#test/support/engines/database.ts";
import { engineFolder } from "#test/support/engines/directory.ts";
import { checkedFile } from "#test/support/web/checked-file.ts";
import { startSharedEngines } from "#test/support/engines/shared-engines.ts";

/** Whatever the whole run shares; the returned function stops what was started here. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  useMemory();
  const stopPostgres = await providePostgres(project);
  try {
    const stopEngines = await startSharedEngines();
    return async () => {
      await stopEngines();
      await stopPostgres();
    };
  } catch (error) {
    await stopPostgres();
    throw error;
  }
}

/** One PostgreSQL: the one named in the environment, else the packaged one. */
async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL;
  const run = crypto.randomUUID().slice(0, 8);
  project.provide("run", run);
  process.once("exit", () => rmSync(checkedFile(run), { force: true }));
  if (given) {
    project.provide("postgresUrl", given);
    return () => dropLoaded(given, run);
  }
  const dataDir = mkdtempSync(join(engineFolder(), "tributary-test-"));
  chmodSync(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    log: silentLogger,
    settings: {
      fsync: "off",
      // Each database that is copied makes a checkpoint, after which all pages would be written whole.
      full_page_writes: "off",
      // It would look at some hundred short-lived databases a minute.
      autovacuum: "off",
      max_connections: "300",
      // Slots are the server's, and each test file of the notifier has one of its own.
      max_replication_slots: "100",
      max_wal_senders: "100",
    },
  });
  project.provide("postgresUrl", server.url);
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** Bytes that the databases of a run never fill. */
const roomy = 6 * 2 ** 30;

/** Lets `engineFolder` be in memory for this run, where there is a file system in memory with room. */
function useMemory(): void {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < roomy) return;
  const folder = mkdtempSync(join(memory, "tributary-tests-"));
  // PostgreSQL runs as another account when the tests run as root.
  chmodSync(folder, 0o755);
  process.env.TRIBUTARY_TEST_MEMORY = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
