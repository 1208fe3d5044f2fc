import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { silentLogger } from "#kit/log.ts";
import { startEmbedded } from "#metadata/postgres/embedded.ts";
import { engineFolder } from "#test/support/engines/directory.ts";

/** A server that lists statements. It is a test's own: others would count theirs in the same list. */
export interface HistoryServer {
  /** Of the database `shop`, as the superuser. */
  url: string;
  /** The same as another role. */
  as(user: string, password: string): string;
  /** Runs statements one by one, as the superuser unless `url` is of another role. */
  run(statements: string[], url?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it with an empty database `shop` and without the extension in it. */
export async function startHistoryServer(): Promise<HistoryServer> {
  const dataDir = mkdtempSync(join(engineFolder(), "tributary-history-"));
  chmodSync(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    log: silentLogger,
    settings: {
      fsync: "off",
      shared_preload_libraries: "pg_stat_statements",
      "pg_stat_statements.max": "30000",
    },
  });
  await run(["CREATE DATABASE shop"], server.url);
  const url = Object.assign(new URL(server.url), { pathname: "/shop" }).href;
  return {
    url,
    as: (username, password) => Object.assign(new URL(url), { username, password }).href,
    run: (statements, at = url) => run(statements, at),
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function run(statements: string[], url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const one of statements) await client.query(one);
  } finally {
    await client.end();
  }
}
