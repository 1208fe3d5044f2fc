import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { silentLogger } from "#kit/log.ts";
import { type EmbeddedServer, startEmbedded } from "#metadata/postgres/embedded.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { accountFor } from "#metadata/postgres/binaries.ts";
import { engineFolder, removed } from "#test/support/engines/directory.ts";
import { startRelay } from "#test/support/engines/own-engines.ts";

/** A PostgreSQL with a replica that receives only what it is told to. Call `stop` in `afterAll`. */
export interface FailoverPostgres {
  /** Leads to whichever server serves; for the program's role, to the database `tributary`. */
  url: string;
  /** The replica has received everything up to now. The primary is unavailable meanwhile. */
  replicate(): Promise<void>;
  /** The primary ends, and the replica is promoted with what it has received, under the same address. */
  failOver(): Promise<void>;
  /** The replica ends, and the former primary serves again. */
  failBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the primary; `replicate` creates the replica. */
export async function startFailoverPostgres(): Promise<FailoverPostgres> {
  const [primary, replica] = [directory("primary"), directory("replica")];
  let server: EmbeddedServer | null = await startEmbedded({ dataDir: primary, log: silentLogger });
  const relay = await startRelay(() => server && Number(new URL(server.url).port));
  const own = Object.assign(new URL(server.url), { port: String(relay.port) }).href;
  const url = await ensureDatabase(own, "tributary");
  const end = async () => {
    const running = server;
    server = null;
    await running?.stop();
  };
  const launch = async (dataDir: string) =>
    void (server = await startEmbedded({ dataDir, log: silentLogger }));
  return {
    url,
    async replicate() {
      await end();
      copyServer(primary, replica);
      await launch(primary);
    },
    async failOver() {
      await end();
      // Nobody is connected before it is promoted.
      const promoted = await startEmbedded({ dataDir: replica, log: silentLogger });
      await promote(promoted.url);
      server = promoted;
    },
    async failBack() {
      await end();
      await launch(primary);
    },
    async stop() {
      await end();
      relay.close();
      await Promise.all([removed(primary), removed(replica)]);
    },
  };
}

function directory(role: string): string {
  const path = mkdtempSync(join(engineFolder(), `tributary-${role}-`));
  chmodSync(path, 0o755);
  return path;
}

/** Copies the directory of a server that is shut down, as a base backup for a replica. */
function copyServer(from: string, to: string): void {
  for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true });
  execFileSync("cp", ["-a", `${from}/.`, to]);
  const cluster = join(to, "postgres", "cluster");
  // A base backup has no slots.
  for (const slot of readdirSync(join(cluster, "pg_replslot"))) {
    rmSync(join(cluster, "pg_replslot", slot), { recursive: true });
  }
  const signal = join(cluster, "standby.signal");
  writeFileSync(signal, "");
  const account = accountFor();
  if (account) chownSync(signal, account.uid, account.gid);
}

async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_promote()");
  } finally {
    await client.end();
  }
}
