import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import type { Logger } from "#kit/log.ts";

const folder = new URL("./migrations/", import.meta.url);

interface Migration {
  version: number;
  name: string;
  sql: string;
  /** Its first line is `-- breaking`: the release before cannot run on the schema it leaves. */
  breaking: boolean;
}

/** The numbered migrations of this release, in order. */
export function migrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), "utf8");
      return { version: Number(name.slice(0, 4)), name, sql, breaking: /^-- breaking\b/.test(sql) };
    });
}

const ledger = `
  CREATE TABLE IF NOT EXISTS schema_migration (
    version    integer PRIMARY KEY,
    name       text NOT NULL,
    breaking   boolean NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now()
  )`;

/**
 * Brings the schema up to this release, one runner at a time (advisory lock); each migration is one
 * transaction. A newer schema is served as long as none of its migrations is breaking; else it throws.
 */
export async function migrate(url: string, log: Logger): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('schema_migration'))");
    await client.query(ledger);
    await applyMissing(client, log);
  } finally {
    await client.end();
  }
}

async function applyMissing(client: pg.Client, log: Logger): Promise<void> {
  const known = migrations();
  const { rows } = await client.query<{ version: number; breaking: boolean }>(
    "SELECT version, breaking FROM schema_migration",
  );
  const applied = new Set(rows.map((row) => row.version));
  const newest = known.at(-1)?.version ?? 0;
  const ahead = rows.find((row) => row.version > newest && row.breaking);
  if (ahead) {
    throw new Error(
      `The metadata schema is at version ${ahead.version}, this release serves up to ${newest}: ` +
        "run the newer release, or restore a backup made by this one",
    );
  }
  for (const migration of known.filter((m) => !applied.has(m.version))) {
    await client.query("BEGIN");
    try {
      await client.query(migration.sql);
      await client.query(
        "INSERT INTO schema_migration (version, name, breaking) VALUES ($1,$2,$3)",
        [
          migration.version,
          migration.name,
          migration.breaking,
        ],
      );
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK");
      throw new Error(`Migration ${migration.name} failed`, { cause: error });
    }
    log.info("schema migrated", { migration: migration.name });
  }
}
