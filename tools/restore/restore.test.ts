import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { createTables, migrate, noteNumbered, schemaFiles } from "#metadata/schema/migrate.ts";
import { createBackup } from "#platform/backup/create.ts";
import { directoryReader, directoryWriter } from "#platform/backup/directory.ts";
import { asCommand, emptyDatabase } from "#test/support/backup.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { restoreBackup } from "./restore.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-restore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const one of databases.splice(0)) await one.drop();
});

async function database(made: Promise<TestDatabase>): Promise<TestDatabase> {
  databases.push(await made);
  return databases.at(-1)!;
}

/** Backs a database up; returns the directory. */
async function backUp(test: TestDatabase): Promise<string> {
  const path = join(folder, test.name);
  const write = async () => await directoryWriter(path);
  await asCommand("embedded", test, {}, async (context) => {
    await createBackup(context, await write());
  });
  return path;
}

const restore = (test: TestDatabase, path: string, overwrite = false) =>
  asCommand(
    "embedded",
    test,
    { attachment: { local: { path: join(folder, "attachments") } } },
    (context) => restoreBackup(context, directoryReader(path), { overwrite }),
  );

const entities = async ({ db }: TestDatabase) =>
  (await db.query<{ id: number }>("SELECT id FROM data_entity ORDER BY id")).map(({ id }) => id);

describe("a restore", () => {
  it("migrates an older schema, whose rows stay", async () => {
    const older = await database(emptyDatabase());
    const files = schemaFiles().numbered.slice(0, -1);
    const client = new pg.Client({ connectionString: older.url });
    await client.connect();
    await createTables(client, new Set(files.map(({ version }) => version)));
    for (const { version, name, checksum, breaking } of files) {
      await client.query(noteNumbered, [version, name, checksum, breaking]);
    }
    await client.query("INSERT INTO owner (name) VALUES ('Ann')");
    await client.end();
    const path = await backUp(older);
    const target = await database(emptyDatabase());
    const manifest = await restore(target, path);
    expect(manifest.schema.version).toBe(files.at(-1)!.version);
    const [row] = await target.db.query<{ newest: number; owners: number }>(
      `SELECT (SELECT max(version) FROM schema_migration) AS newest,
              (SELECT count(*) FROM owner WHERE name = 'Ann') AS owners`,
    );
    expect(row).toEqual({ newest: schemaFiles().numbered.at(-1)!.version, owners: 1 });
  });

  it("gives new rows ids after those of the backup, and keeps what migrations had put in once", async () => {
    const source = await database(testDatabase());
    const last = await seedEntity(source.db);
    const target = await database(emptyDatabase());
    await restore(target, await backUp(source));
    expect(await seedEntity(target.db)).toBeGreaterThan(last);
    const roles = "SELECT id, name FROM role ORDER BY id";
    expect(await target.db.query(roles)).toEqual(await source.db.query(roles));
  });

  it("refuses a target with content, unless it is to be overwritten; then nothing of it stays", async () => {
    const source = await database(testDatabase());
    const ids = [await seedEntity(source.db), await seedEntity(source.db)];
    const path = await backUp(source);
    const target = await database(testDatabase());
    await target.db.query("INSERT INTO owner (name) VALUES ('Bob')");
    await expect(restore(target, path)).rejects.toThrow("The target is not empty: its database");
    expect(await target.db.query("SELECT name FROM owner")).toEqual([{ name: "Bob" }]);
    await restore(target, path, true);
    expect(await target.db.query("SELECT name FROM owner")).toEqual([]);
    expect(await entities(target)).toEqual(ids);
  });

  it("that fails leaves the database as it was", async () => {
    const source = await database(testDatabase());
    await seedEntity(source.db);
    const path = await backUp(source);
    const target = await database(testDatabase());
    await target.db.query("INSERT INTO owner (name) VALUES ('Bob')");
    const reader = directoryReader(path);
    // Damaged between verification and use.
    let reads = 0;
    const file = "metadata/data_entity.copy.gz";
    const damaged = {
      ...reader,
      read: (name: string) => reader.read(name === file && reads++ > 0 ? "manifest.json" : name),
    };
    const restored = asCommand(
      "embedded",
      target,
      {},
      (context) => restoreBackup(context, damaged, { overwrite: true }),
    );
    await expect(restored).rejects.toThrow("The rows of table data_entity cannot be restored");
    expect(await target.db.query("SELECT name FROM owner")).toEqual([{ name: "Bob" }]);
  });

  it("that did not end keeps every release from serving the database", async () => {
    const source = await database(testDatabase());
    const path = await backUp(source);
    const target = await database(emptyDatabase());
    const lost = { ...directoryReader(path) };
    const interrupted = asCommand("embedded", target, {}, (context) => {
      const events = { ...context.events, ensureTopics: () => Promise.reject(new Error("killed")) };
      return restoreBackup({ ...context, events }, lost, { overwrite: false });
    });
    await expect(interrupted).rejects.toThrow("killed");
    await expect(migrate(target.url, silentLogger)).rejects.toThrow(
      "A restore into this database did not end: run it again, `npm run restore -- <backup> --overwrite`",
    );
    await restore(target, path, true);
    await migrate(target.url, silentLogger);
  });

  it("misses no commit of the former content, which consumers of the log have noted", async () => {
    const source = await database(testDatabase());
    await source.db.query(
      `INSERT INTO server_history (system_identifier, timeline, began_at, missed_at)
       VALUES ('77', 5, '0/0', now())`,
    );
    const path = await backUp(source);
    const target = await database(testDatabase());
    await restore(target, path, true);
    const [row, ...others] = await target.db.query(
      `SELECT system_identifier = (SELECT system_identifier::text FROM pg_control_system()) AS own,
              accepted_at > now() - interval '1 hour' AS accepted, missed_at FROM server_history`,
    );
    expect([row, others]).toEqual([{ own: true, accepted: true, missed_at: null }, []]);
  });

  it("keeps no session, and tokens only as digests", async () => {
    const source = await database(testDatabase());
    await source.db.query(
      `INSERT INTO session (id_digest, content, expires_at)
       VALUES (sha256('session'), '{}', now() + interval '1 day')`,
    );
    await source.db.query("INSERT INTO account (username, admin) VALUES ('ann', false)");
    await source.db.query(
      `INSERT INTO personal_token (username, name, scope, digest, hint)
       VALUES ('ann', 'script', 'READ', sha256('token'), 'oken')`,
    );
    const target = await database(emptyDatabase());
    await restore(target, await backUp(source));
    expect(await target.db.query("SELECT 1 FROM session")).toEqual([]);
    expect(
      await target.db.query("SELECT username FROM personal_token WHERE digest = sha256('token')"),
    )
      .toEqual([{ username: "ann" }]);
  });
});
