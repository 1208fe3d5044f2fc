import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { silentLogger } from "#kit/log.ts";
import { startEmbedded } from "#metadata/postgres/embedded.ts";
import { dropLoaded } from "#test/support/engines/database.ts";
import { checkedFile } from "#test/support/web/checked-file.ts";
import { startSharedEngines } from "#test/support/engines/shared-engines.ts";

/** Whatever the whole run shares; the returned function stops what was started here. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
  const dataDir = mkdtempSync(join(inMemory() ?? tmpdir(), "tributary-test-"));
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

/**
 * A file system in memory, where there is one with room. Each test file has a database of a thousand files, and
 * creating and deleting those took a tenth of a run's CPU on a disk.
 */
function inMemory(): string | null {
  const directory = "/dev/shm";
  if (!existsSync(directory)) return null;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= roomy ? directory : null;
}
