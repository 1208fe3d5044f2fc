import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schemaFiles } from "#metadata/schema/migrate.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { releaseAfter } from "#test/support/engines/release.ts";

const source = "//postgresql/host/rolling.example/databases/shop";
const table = (n: number) => `${source}/schemas/public/tables/t${n}`;

/** A batch of a table and the job that fills it. */
const batch = (n: number) => ({
  data_source_catrn: source,
  items: [
    { catrn: table(n), name: `t${n}`, type: "TABLE", dataset: { field_list: [] } },
    {
      catrn: `${source}/jobs/j${n}`,
      name: `j${n}`,
      type: "JOB",
      data_transformer: { inputs: [table(n - 1)], outputs: [table(n)] },
    },
  ],
});

const nextFiles = {
  "9000_glossary.sql":
    "CREATE TABLE glossary (entity_id bigint REFERENCES data_entity, term text);",
  "functions/entities.sql": (sql: string) =>
    sql.replace("'view_count', e.view_count,", "'view_count', e.view_count + 1000,"),
};

// One clause after the other: this release, the next next to it, and this one starting again.
describe.each(engineSets())("a rolling upgrade, %s engines", (set) => {
  let test: TestDatabase;
  const running: Instance[] = [];
  const start = async (schema?: URL) => {
    const instance = await startInstance(set, { sharedDatabase: test, schema });
    running.push(instance);
    return instance;
  };
  const stop = (instance: Instance) => running.splice(running.indexOf(instance), 1)[0]!.stop();
  beforeAll(async () => void (test = await testDatabase()));
  afterAll(async () => {
    for (const instance of [...running]) await stop(instance);
    await test.drop();
  });

  let posted = 0;
  async function post(instance: Instance): Promise<void> {
    const answer = await instance.send("POST", "/ingestion/entities", batch(++posted));
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    await answer.body?.cancel();
  }
  async function countsOfViews(instance: Instance): Promise<number[]> {
    const path = "/api/dataentities?page=1&size=100";
    const { items } = await instance.json(path) as { items: { view_count: number }[] };
    expect(items.length).toBe(2 * posted);
    return [...new Set(items.map(({ view_count }) => view_count))];
  }

  it("keeps both releases serving while the next one comes and this one starts again", async () => {
    const now = await start();
    await now.send("POST", "/ingestion/datasources", { items: [{ catrn: source, name: "Shop" }] });
    await post(now);
    expect(await countsOfViews(now)).toEqual([0]);

    const folder = releaseAfter(nextFiles);
    let arrived = false;
    const coming = start(folder).finally(() => void (arrived = true));
    while (!arrived) await post(now);
    const next = await coming;
    expect(await test.db.query("SELECT * FROM glossary")).toEqual([]);
    await serve([now, next]);

    await stop(now);
    await post(next);
    const repeated = await start();
    await serve([next, repeated]);
    const retained = await test.db.query(
      "SELECT name, checksum FROM schema_function ORDER BY name",
    );
    expect(retained).toEqual(
      schemaFiles(folder).functions.map(({ name, checksum }) => ({ name, checksum })),
    );
  });

  /** Both take batches and answer by the functions of the next release. */
  async function serve(instances: Instance[]): Promise<void> {
    for (const instance of instances) {
      await post(instance);
      expect(await countsOfViews(instance)).toEqual([1000]);
      expect(instance.exhaustedWorker()).toBeNull();
    }
  }
});
