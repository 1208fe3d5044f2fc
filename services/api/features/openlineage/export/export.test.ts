import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptEvent, isRefused } from "#contract/openlineage/accept.ts";
import { entityClasses, entityTypes } from "#contract/entities.ts";
import type { Context } from "#platform/context.ts";
import { Slots } from "#services/api/transfers.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";
import { page } from "./limits.ts";
import { openLineageExportRoutes } from "./routes.ts";
import { exportEvents } from "./service.ts";

let test: TestDatabase;
let context: Context;
let api: TestApi;
let source: number;
const many = 2 * page.entities + 1;

beforeAll(async () => {
  test = await testDatabase();
  context = testContext(test);
  api = testApi(openLineageExportRoutes(context), context);
  source = await seedSource(test.db);
  await test.db.query(
    `INSERT INTO data_entity (catrn, data_source_id, type_id, class_ids, external_description)
     SELECT '//many/' || n, $1, $2, $3, repeat('told ', 200) FROM generate_series(1, $4::int) n`,
    [source, entityTypes.TABLE.id, [entityClasses.DATA_SET], many],
  );
});
afterAll(async () => {
  await context.wakeups.close();
  await test.drop();
});

const linesOf = (text: string) => text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
const exported = async (query: string) => {
  const answer = await api.get(`/api/openlineage/export${query}`);
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return linesOf(answer.text);
};
const edge = (establisher: number, parent: number, child: number) =>
  test.db.query(
    "INSERT INTO lineage_edge (establisher_id, parent_id, child_id) VALUES ($1, $2, $3)",
    [
      establisher,
      parent,
      child,
    ],
  );

describe("exportOpenLineage", () => {
  it("200: all pages, each entity once, as events that are taken whole", async () => {
    const events = await exported(`?data_source_id=${source}`);
    expect(events.map((event) => event.dataset.name))
      .toEqual(Array.from({ length: many }, (_, n) => `//many/${n + 1}`));
    for (const event of events) {
      const result = acceptEvent(event);
      expect(isRefused(result) || result.dropped.size).toBe(0);
    }
  });

  it("names a file that no browser takes for a page", async () => {
    const { headers } = await api.get(`/api/openlineage/export?data_source_id=${source}`);
    expect(headers.get("content-type")).toBe("application/x-ndjson");
    expect(headers.get("content-disposition")).toBe('attachment; filename="openlineage.ndjson"');
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("leaves out what is deleted, only named by others, or neither dataset nor job", async () => {
    const own = await seedSource(test.db);
    const job = await seedEntity(test.db, { catrn: "//left/job", type: "JOB", sourceId: own });
    await seedEntity(test.db, { catrn: "//left/deleted", sourceId: own, status: 5 });
    await seedEntity(test.db, { catrn: "//left/group", type: "DAG", sourceId: own });
    const classes = [entityClasses.DATA_QUALITY_TEST];
    await seedEntity(test.db, { catrn: "//left/test", type: "JOB", classes, sourceId: own });
    const hollow = await seedEntity(test.db, { catrn: "//left/hollow", hollow: true });
    const elsewhere = await seedEntity(test.db, { catrn: "//left/elsewhere" });
    await edge(job, hollow, job);
    await edge(elsewhere, job, elsewhere);
    expect(await exported(`?data_source_id=${own}`)).toEqual([
      expect.objectContaining({
        job: { namespace: "tributary", name: "//left/job", facets: {} },
        inputs: [{ namespace: "tributary", name: "//left/hollow" }],
        outputs: [{ namespace: "tributary", name: "//left/elsewhere" }],
      }),
    ]);
  });

  it("tells of columns that are declared, and of those read from SQL by the SQL alone", async () => {
    const own = await seedSource(test.db);
    const job = await seedEntity(test.db, { catrn: "//sql/job", type: "JOB", sourceId: own });
    const [from, into] = [
      await seedEntity(test.db, { catrn: "//sql/from" }),
      await seedEntity(test.db, { catrn: "//sql/into" }),
    ];
    const attributes = { data_transformer: { sql: "INSERT INTO into SELECT a, b FROM from" } };
    await test.db.query("UPDATE data_entity SET attributes = $2 WHERE id = $1", [job, attributes]);
    await edge(job, from, job);
    await edge(job, job, into);
    for (const [path, origin] of [["a", 0], ["b", 1]]) {
      await test.db.query(
        `WITH named AS (
           INSERT INTO dataset_column (dataset_id, path, folded)
           VALUES ($2, $4, $4), ($3, $4, $4) RETURNING id, dataset_id)
         INSERT INTO column_edge (establisher_id, source_id, target_id, kind, source_dataset,
           target_dataset, origin)
         SELECT $1, s.id, t.id, 0, $2, $3, $5 FROM named s, named t
          WHERE s.dataset_id = $2 AND t.dataset_id = $3`,
        [job, from, into, path, origin],
      );
    }
    const [{ job: { facets }, outputs }] = await exported(`?data_source_id=${own}`);
    expect(facets.sql.query).toBe(attributes.data_transformer.sql);
    const { fields } = outputs[0].facets.columnLineage;
    expect(Object.keys(fields)).toEqual(["a"]);
  });

  it("200 without a line when there is nothing", async () => {
    expect(await exported(`?data_source_id=${await seedSource(test.db)}`)).toEqual([]);
  });

  it("404 for a data source that there is not, 400 for what is no id", async () => {
    const status = async (query: string) =>
      (await api.get(`/api/openlineage/export${query}`)).status;
    expect(await status("?data_source_id=999999999")).toBe(404);
    expect(await status("?data_source_id=x")).toBe(400);
  });
});

describe("an export", () => {
  const deps = (slots: Slots, more = {}) => ({ ...context, slots, maxWaitMs: 300, ...more });
  const query = () => ({ source, asOf: undefined });
  const open = async (slots: Slots, more = {}) =>
    (await exportEvents(deps(slots, more), query())).raw!.content as ReadableStream<Uint8Array>;
  const free = (slots: Slots) => eventually(() => slots.take()());
  const one = () => new Slots(1, "exports");

  it("503 while as many run as may", async () => {
    const slots = one();
    const content = await open(slots);
    await expect(open(slots)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    await content.cancel();
    await free(slots);
  });

  it("ends when nobody reads it, broken off", async () => {
    const slots = one();
    const content = await open(slots);
    await free(slots);
    await expect(new Response(content as BodyInit).text()).rejects.toThrow();
  });

  it("reads no further pages once its reader has gone", async () => {
    const slots = one();
    let reads = 0;
    const counting = { query: (...args: [never]) => (reads++, context.db.query(...args)) };
    const content = await open(slots, { db: counting });
    await content.cancel();
    await free(slots);
    expect(reads).toBeLessThan(1 + 3);
  });

  it("is broken off when a page cannot be read, so that nobody takes it for whole", async () => {
    const slots = one();
    let reads = 0;
    const failing = {
      query: (...args: [never]) =>
        ++reads > 2 ? Promise.reject(new Error("gone")) : context.db.query(...args),
    };
    const content = await open(slots, { db: failing, maxWaitMs: 30_000 });
    await expect(new Response(content as BodyInit).text()).rejects.toThrow();
    await free(slots);
  });

  it("fails as a whole when the first page cannot be read, and frees its place", async () => {
    const slots = one();
    const failing = { query: () => Promise.reject(new Error("gone")) };
    const tried = exportEvents(deps(slots, { db: failing }), {
      source: undefined,
      asOf: undefined,
    });
    await expect(tried).rejects.toThrow("gone");
    slots.take()();
  });
});
