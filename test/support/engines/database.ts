import { createHash } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { Database, type Queryable, type Row } from "#metadata/postgres/database.ts";
import { applicationRole, applicationUrl, ensureDatabase } from "#metadata/postgres/provision.ts";
import { migrate, schemaFiles } from "#metadata/schema/migrate.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { eventually } from "#test/support/eventually.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL server on which every test file makes its own database. */
    postgresUrl: string;
    /** A name for this run of the tests. */
    run: string;
  }
}

export interface TestDatabase {
  /** As the program's own role, which is no superuser; see `superuserOf`. */
  db: Database;
  url: string;
  /** Also the instance name of whatever shares other engines with this file. */
  name: string;
  drop(): Promise<void>;
}

/**
 * A fresh, migrated database of its own, copied from `source` (nobody may be connected to it), else from a template
 * that is made once for each state of the schema. Call `drop` in `afterAll`.
 */
export async function testDatabase(max = 8, source?: string): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const copied = source ?? await (template ??= ensureTemplate(server));
  const name = `t_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
  await administer(
    server,
    `CREATE DATABASE ${name} TEMPLATE ${copied} STRATEGY FILE_COPY OWNER ${applicationRole}`,
  );
  const url = applicationUrl(server, name);
  const db = new Database({
    url,
    max,
    statementTimeoutMs: 30_000,
    applicationName: `test ${name}`,
  });
  return {
    db,
    url,
    name,
    async drop() {
      await db.close();
      await freeSlots(server, name);
      await administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/**
 * A database for copies (`testDatabase`), filled by `load` once in a run, whichever process asks first; its name. Who
 * loads closes all connections but those of `db`.
 */
export async function ensureLoaded(
  what: string,
  load: (test: TestDatabase) => Promise<void>,
): Promise<string> {
  const server = inject("postgresUrl");
  const name = `${what}_${inject("run")}`;
  const client = await connected(server);
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [name]);
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount === 0) {
      const draft = await testDatabase();
      await load(draft).catch(async (error: unknown) => {
        await draft.drop();
        throw error;
      });
      await draft.db.close();
      await client.query(`ALTER DATABASE "${draft.name}" RENAME TO "${name}"`);
    }
  } finally {
    await client.end();
  }
  return name;
}

/** Drops what `ensureLoaded` made in a run; for a server that stays. */
export async function dropLoaded(server: string, run: string): Promise<void> {
  const client = await connected(server);
  try {
    const { rows } = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname LIKE $1",
      [`%\\_${run}`],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** Resolves once somebody waits for a lock in this database; ask within the transaction that holds it. */
export async function somebodyWaits(db: Queryable): Promise<void> {
  await eventually(async () => {
    // Not by pg_stat_activity, which shows a transaction the connections that there were when it first looked.
    const rows = await db.query(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN (
         SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
          WHERE d.datname = current_database())`,
    );
    if (rows.length === 0) throw new Error("nobody waits for a lock");
  });
}

/** Where the superuser connects to a database. */
export function superuserUrl(name: string, server = inject("postgresUrl")): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

/** What the program's role may not do, in the database of that name; a connection a statement. */
export function superuserOf(name: string, server = inject("postgresUrl")): Queryable {
  const url = superuserUrl(name, server);
  return {
    async query<R = Row>(statement: Statement<R> | string, values: unknown[] = []) {
      const client = await connected(url);
      try {
        const text = typeof statement === "string" ? statement : statement.text;
        return (await client.query(text, values)).rows as R[];
      } finally {
        await client.end();
      }
    },
  };
}

/** The template, once a file of this process needed it. */
let template: Promise<string> | undefined;

async function ensureTemplate(server: string): Promise<string> {
  const { numbered, functions } = schemaFiles();
  const sums = [...numbered, ...functions].map(({ checksum }) => checksum);
  const state = createHash("sha256").update(sums.join());
  const name = `template_${state.digest("hex").slice(0, 16)}`;
  const client = await connected(server);
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('tributary_test_template'))");
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount === 0) {
      const draft = `${name}_${crypto.randomUUID().slice(0, 8)}`;
      await migrate(await ensureDatabase(server, draft), silentLogger);
      await client.query(`ALTER DATABASE "${draft}" RENAME TO ${name}`);
    }
  } finally {
    await client.end();
  }
  return name;
}

async function administer(server: string, statement: string): Promise<void> {
  const client = await administrators(server).connect();
  try {
    // One at a time: PostgreSQL refuses to copy a template that another copy is reading.
    await client.query("SELECT pg_advisory_lock(hashtext('tributary_test_template'))");
    await client.query(statement);
  } finally {
    // The connection is kept, and would keep the lock; one that cannot give it back is closed, which frees it.
    const unlocked = await client.query("SELECT pg_advisory_unlock_all()").catch((e: Error) => e);
    client.release(unlocked instanceof Error);
  }
}

/** A database goes with its replication slots, once nobody reads them; killed readers end by and by. */
async function freeSlots(server: string, database: string): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await administrators(server).query(
      `SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots
        WHERE database = $1 AND active`,
      [database],
    );
    if (rowCount) throw new Error(`${rowCount} replication slots of ${database} are being read`);
  });
}

let administration: pg.Pool | undefined;

/** Connections of the superuser that the files of this process share: each new one costs as much as a small test. */
function administrators(server: string): pg.Pool {
  if (administration) return administration;
  administration = new pg.Pool({
    connectionString: server,
    max: 2,
    connectionTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  // A server that ends takes its connections with it.
  administration.on("error", () => {});
  return administration;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  return client;
}
