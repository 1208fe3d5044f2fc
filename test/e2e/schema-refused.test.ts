import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { startEmbedded } from "#metadata/postgres/embedded.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { runProgram, runToEnd } from "#test/support/engines/programs.ts";
import { ensureWebBuilt } from "../../tools/web/ensure.mjs";

const old = readFileSync("test/cases/schema/before-first-release.sql", "utf8");
const messageFor = (database: string) =>
  `The database ${database} was made before the first release (its schema ends with ` +
  "0066_service_quarantine.sql) and cannot be carried forward: name a new data directory " +
  "(data.dir, DATA_DIR), or an empty database (metadata.postgres.url, METADATA_POSTGRES_URL), " +
  "and let collectors fill it";

/** The reason in the one line of JSON that a service logs. */
const logged = (errors: string) => JSON.parse(errors).reason;

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe("a data directory of the commit before the first release", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tributary-old-"));
  const env = { DATA_DIR: dataDir };
  async function onIts<T>(work: (url: string) => Promise<T>): Promise<T> {
    const server = await startEmbedded({ dataDir, log: silentLogger });
    try {
      return await work(await ensureDatabase(server.url, "tributary"));
    } finally {
      await server.stop();
    }
  }
  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    // A start that has to build it says so.
    ensureWebBuilt(resolve("."));
    await onIts((url) => ask(url, old));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it("is refused by npm start with one line of JSON, and left as it is", async () => {
    const { code, errors } = await runToEnd("node", ["tools/run.mjs", "start"], env);
    expect([code, logged(errors)]).toEqual([1, messageFor("tributary")]);
    expect(await onIts((url) => ask(url, "SELECT name FROM namespace"))).toEqual([{ name: "old" }]);
  });

  it.each([["lag.ts", []], ["dead-letters.ts", ["list"]]])(
    "is refused by %s",
    async (tool, args) => {
      const { code, text } = await runProgram([`tools/${tool}`, ...args], env);
      expect([code, text]).toEqual([1, `${messageFor("tributary")}\n`]);
    },
  );
});

describe("a database of the commit before the first release", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
    await test.db.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${old}`);
  });
  afterAll(() => test.drop());

  it.each([
    "api",
    "ingest-consumer",
    "trace-gateway",
    "notifier",
    "openlineage",
    "datahub",
    "collector",
  ])(
    "is refused by the service %s with one line of JSON",
    async (service) => {
      const { code, errors } = await runToEnd("node", ["tools/run.mjs", "service", service], {
        METADATA_POSTGRES_URL: test.url,
      });
      expect([code, logged(errors)]).toEqual([1, messageFor(test.name)]);
    },
  );
});
