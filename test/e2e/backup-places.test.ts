import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createBackup } from "#platform/backup/create.ts";
import { openReader, openWriter } from "#platform/backup/location.ts";
import { redisCache } from "#cache/redis.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { asCommand, emptyDatabase, machines, post, source, table } from "#test/support/backup.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { distributed, redisUrl } from "#test/support/engines/engines.ts";
import {
  type EngineSet,
  type Instance,
  type InstanceOptions,
  startInstance,
} from "#test/support/engines/instance.ts";
import { startS3 } from "#test/support/engines/s3.ts";
import { eventually } from "#test/support/eventually.ts";
import { restoreBackup } from "../../tools/restore/restore.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-backup-places-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { onDisk, backUp, restore } = machines(folder);

const batches = 6;

/** An instance that holds a chain of tables; it ends with the test. */
async function filled(set: EngineSet, config: InstanceOptions["config"] = {}): Promise<Instance> {
  const instance = await startInstance(set, { config });
  onTestFinished(() => instance.stop());
  await instance.send("POST", "/ingestion/datasources", { items: [{ catrn: source, name: "S" }] });
  for (let n = 1; n <= batches; n++) await post(instance, n);
  return instance;
}

async function emptied(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Starts an instance over a restored database, which has the whole chain, once, and takes what comes. */
async function expectWhole(
  set: EngineSet,
  test: TestDatabase,
  config: InstanceOptions["config"],
): Promise<Instance> {
  const instance = await startInstance(set, { sharedDatabase: test, config });
  onTestFinished(() => instance.stop());
  await eventually(async () => {
    const found = await instance.json(
      `/api/dataentities?${new URLSearchParams({ catrn: table(1), page: "1", size: "1" })}`,
    ) as { items: { id: number }[] };
    const path = `/api/dataentities/${found.items[0]!.id}/lineage/downstream`;
    const { downstream } = await instance.json(`${path}?lineage_depth=100`) as {
      downstream: { nodes: { catrn: string }[] };
    };
    const tables = downstream.nodes.map(({ catrn }) => catrn).filter((catrn) =>
      catrn.includes("/tables/")
    );
    expect(tables.sort()).toEqual(
      Array.from({ length: batches }, (_, n) => table(n + 1)).sort(),
    );
  });
  expect(await post(instance, 2)).toBe("applied");
  expect(await post(instance, batches + 1)).toBe("applied");
  const [row] = await test.db.query<{ n: number; kinds: number }>(
    "SELECT count(*) AS n, count(DISTINCT catrn) AS kinds FROM data_entity WHERE catrn LIKE $1",
    [`${source}/tables/%`],
  );
  // And the first table's own source, which no batch describes.
  expect(row).toEqual({ n: batches + 2, kinds: batches + 2 });
  return instance;
}

describe("a backup in a bucket", () => {
  it("is restored whole from there, attachments included", async () => {
    const server = await startS3();
    onTestFinished(() => server.stop());
    const { options, url } = server;
    const account = { "access-key": options.accessKey, "secret-key": options.secretKey };
    const remote = { url, bucket: options.bucket, ...account };
    const config = { attachment: { storage: "REMOTE" as const, remote } };
    const first = await filled("embedded", config);
    const place = `s3://${options.bucket}/backups/monday`;
    await asCommand("embedded", first.test, config, async (context) => {
      await context.storage.put("00000000-0000-4000-8000-000000000001", new Uint8Array([1]));
      await createBackup(context, await openWriter(place, context.config));
    });
    const empty = await emptied();
    await asCommand(
      "embedded",
      empty,
      config,
      (context) => restoreBackup(context, openReader(place, context.config), { overwrite: false }),
    );
    await expectWhole("embedded", empty, config);
  });
});

describe("lookup tables in a database of their own", () => {
  it("are in the backup, and restored into such a database", async () => {
    const [before, after] = [await testDatabase(), await testDatabase()];
    onTestFinished(async () => {
      await before.drop();
      await after.drop();
    });
    const withLookup = (machine: string, lookup: TestDatabase, main: TestDatabase) => ({
      ...onDisk(machine),
      metadata: { postgres: { url: main.url }, lookup: { url: lookup.url } },
    });
    const main = await testDatabase();
    onTestFinished(() => main.drop());
    const first = await startInstance("embedded", {
      sharedDatabase: main,
      config: withLookup("lookup-first", before, main),
    });
    onTestFinished(() => first.stop());
    const api = "/api/referencedata/table";
    const made = await first.send("POST", api, { name: "Codes", namespace_name: "reference" });
    const { table_id: id } = await made.json() as { table_id: number };
    const columns = [{ name: "code", field_type: "VARCHAR", is_nullable: false, is_unique: true }];
    expect((await first.send("POST", `${api}/${id}/columns`, columns)).status).toBe(200);
    const csv = { "content-type": "text/csv" };
    const path = `${api}/${id}/data/import?mode=append`;
    expect((await first.send("POST", path, "code\nde\nfr\n", csv)).status).toBe(200);
    const write = join(folder, "lookup-1");
    await asCommand("embedded", main, withLookup("lookup-first", before, main), async (context) => {
      await createBackup(context, await openWriter(write, context.config));
    });
    const empty = await emptied();
    const config = withLookup("lookup-second", after, empty);
    await asCommand(
      "embedded",
      empty,
      config,
      (context) => restoreBackup(context, openReader(write, context.config), { overwrite: false }),
    );
    const second = await startInstance("embedded", { sharedDatabase: empty, config });
    onTestFinished(() => second.stop());
    const rows = await (await second.send("GET", `${api}/${id}/data?format=csv`)).text();
    expect(rows.replaceAll("\r", "")).toBe("id,code\n1,de\n2,fr\n");
    const schemas = await empty.db.query(
      "SELECT 1 FROM pg_tables WHERE schemaname = 'tributary_lookup'",
    );
    expect(schemas).toEqual([]);
  });
});

if (distributed()) {
  describe("a restore on other engines", () => {
    it.each<[EngineSet, EngineSet]>([["embedded", "distributed"], ["distributed", "embedded"]])(
      "from %s to %s has all of it, and the graph",
      async (from, to) => {
        const first = await filled(from, onDisk(`${from}-to`));
        await backUp(from, first.test, `${from}-to`, `${from}-to`);
        const empty = await emptied();
        await restore(to, empty, `${from}-to-second`, `${from}-to`);
        await expectWhole(to, empty, onDisk(`${from}-to-second`));
      },
    );
  });

  describe("a restore with --overwrite on distributed engines", () => {
    it("replaces the records of Kafka, the graph, and the sessions in Redis", async () => {
      const first = await filled("distributed", onDisk("over-first"));
      await backUp("distributed", first.test, "over-first", "over");
      const target = await testDatabase();
      onTestFinished(() => target.drop());
      const used = await startInstance("distributed", {
        sharedDatabase: target,
        config: onDisk("over-second"),
      });
      await used.send("POST", "/ingestion/datasources", { items: [{ catrn: source, name: "S" }] });
      for (const n of [901, 902]) await post(used, n);
      await used.stop();
      const cache = redisCache({
        url: redisUrl(),
        prefix: `${target.name}:`,
        log: silentLogger,
        metrics: noMetrics,
      });
      onTestFinished(() => cache.close());
      await eventually(() => cache.strict.set("session:former", "ann", 600_000));
      await expect(restore("distributed", target, "over-second", "over"))
        .rejects.toThrow(/not empty|holds records/);
      await restore("distributed", target, "over-second", "over", { overwrite: true });
      expect(await cache.strict.get("session:former")).toBeNull();
      await expectWhole("distributed", target, onDisk("over-second"));
      const former = await target.db.query("SELECT 1 FROM data_entity WHERE catrn = $1", [
        table(901),
      ]);
      expect(former).toEqual([]);
    });
  });
} else {
  it("restores across engines are not tested in this run: only the embedded engines are", () => {
    expect(distributed()).toBe(false);
  });
}
