import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { applicationRole, ensureDatabase } from "#metadata/postgres/provision.ts";

const name = `p_${crypto.randomUUID().slice(0, 8)}`;
const old = `${name}_old`;

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const server = () => inject("postgresUrl");
const within = (url: string, database: string) =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;
afterAll(async () => {
  for (const database of [name, old]) {
    await ask(server(), `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  }
});

describe("ensureDatabase", () => {
  let url: string;
  beforeAll(async () => {
    url = await ensureDatabase(server(), name);
    await migrate(url, silentLogger);
  });

  it("lets the program in as a role that is no superuser and can replicate", async () => {
    const rows = await ask(
      url,
      `SELECT rolname, rolsuper, rolreplication, rolcreaterole, rolcreatedb, rolbypassrls
         FROM pg_roles WHERE rolname = current_user`,
    );
    expect(rows).toEqual([{
      rolname: applicationRole,
      rolsuper: false,
      rolreplication: true,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
    }]);
  });

  it.each([
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SELECT * FROM pg_authid",
    "SELECT pg_read_file('/etc/passwd')",
    "ALTER SYSTEM SET fsync = off",
    "ALTER ROLE current_user SUPERUSER",
  ])("which is refused %s", async (statement) => {
    await expect(ask(url, statement)).rejects.toThrow(/permission denied/);
  });

  it("gives the same role at each call, also at several at once", async () => {
    const urls = await Promise.all([1, 2, 3].map(() => ensureDatabase(server(), name)));
    expect(new Set([url, ...urls]).size).toBe(1);
    expect(await ask(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("hands over what the superuser made before there was the role", async () => {
    await ask(server(), `CREATE DATABASE ${old}`);
    const before = within(server(), old);
    await migrate(before, silentLogger);
    await ask(before, "CREATE PUBLICATION made FOR TABLE alert_event");
    await ask(before, "INSERT INTO namespace (name) VALUES ('kept')");
    const after = await ensureDatabase(server(), old);
    await migrate(after, silentLogger);
    expect(await ask(after, "SELECT name FROM namespace")).toEqual([{ name: "kept" }]);
    const foreign = await ask(
      after,
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
          AND pg_get_userbyid(relowner) <> current_user
       UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
          AND pg_get_userbyid(proowner) <> current_user
       UNION ALL SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace
          AND pg_get_userbyid(typowner) <> current_user
       UNION ALL SELECT pubname FROM pg_publication WHERE pg_get_userbyid(pubowner) <> current_user
       UNION ALL SELECT stxname FROM pg_statistic_ext WHERE pg_get_userbyid(stxowner) <> current_user`,
    );
    expect(foreign).toEqual([]);
    await ask(
      after,
      "INSERT INTO namespace (name) VALUES ('more'); ALTER TABLE namespace ADD x int",
    );
  });
});
