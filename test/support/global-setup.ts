import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { silentLogger } from "#kit/log.ts";
import { startEmbedded } from "#metadata/embedded.ts";
import type {} from "#test/support/database.ts";

/** One PostgreSQL for the whole run: the one named in the environment, else the packaged one. */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_POSTGRES_URL;
  if (given) {
    project.provide("postgresUrl", given);
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), "tributary-test-"));
  chmodSync(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    log: silentLogger,
    settings: { fsync: "off", max_connections: "300" },
  });
  project.provide("postgresUrl", server.url);
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
