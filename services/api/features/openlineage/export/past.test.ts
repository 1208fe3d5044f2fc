import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { type Past, past } from "#services/api/features/lineage/testing/past.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";
import { pastEntities } from "./service.ts";
import { openLineageExportRoutes } from "./routes.ts";

let test: TestDatabase;
let context: Context;
let api: TestApi;
let write: Past;
beforeAll(async () => {
  test = await testDatabase();
  context = testContext(test);
  api = testApi(openLineageExportRoutes(context), context);
  write = past(test.db);
});
afterAll(async () => {
  await context.wakeups.close();
  await test.drop();
});

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const exportAt = (asOf: string, more = "") =>
  api.get(`/api/openlineage/export?as_of=${encodeURIComponent(asOf)}${more}`);

interface ExportedEvent {
  job: { name: string };
  inputs: { name: string }[];
  outputs: { name: string }[];
}

/** The jobs of an answer, as `inputs > job > outputs`. */
async function jobsAt(hours: number, source: number): Promise<string[]> {
  const { status, text } = await exportAt(ago(hours), `&data_source_id=${source}`);
  expect(status).toBe(200);
  const names = (list: { name: string }[]) => list.map(({ name }) => name).join();
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line) as ExportedEvent)
    .map(({ job, inputs, outputs }) => `${names(inputs)} > ${job.name} > ${names(outputs)}`);
}

let serial = 0;
/** A job and a table of a data source, told of a hundred hours ago. */
async function world() {
  const p = `//w${serial++}`;
  const source = await seedSource(test.db, { catrn: p });
  const job = await seedEntity(test.db, { catrn: `${p}/job`, type: "JOB", sourceId: source });
  const [a, b] = [
    await seedEntity(test.db, { catrn: `${p}/a`, sourceId: source }),
    await seedEntity(test.db, { catrn: `${p}/b`, sourceId: source }),
  ];
  await write.created([job, a, b], ago(100));
  return { p, source, job, a, b };
}

describe("an export as of a time", () => {
  it("tells the inputs and outputs of then, and nothing else", async () => {
    const { p, source, job, a, b } = await world();
    await write.ended([job, a, job], ago(50), ago(20));
    await write.declared([job, job, b], ago(30));
    expect(await jobsAt(101, source)).toEqual([]);
    expect(await jobsAt(60, source)).toEqual([` > ${p}/job > `]);
    expect(await jobsAt(40, source)).toEqual([`${p}/a > ${p}/job > `]);
    expect(await jobsAt(25, source)).toEqual([`${p}/a > ${p}/job > ${p}/b`]);
    expect(await jobsAt(10, source)).toEqual([` > ${p}/job > ${p}/b`]);
    const answer = await exportAt(ago(25), `&data_source_id=${source}`);
    expect(JSON.parse(answer.text).job.facets).toEqual({});
  });

  it("says of which time it is, also in its events", async () => {
    const { source } = await world();
    const at = ago(5);
    const { headers, text } = await exportAt(at, `&data_source_id=${source}`);
    expect(headers.get("x-lineage-as-of")).toBe(at);
    expect(headers.get("x-lineage-unsettled")).toBeNull();
    expect(JSON.parse(text).eventTime).toBe(at);
  });

  it("tells of a dataset that was made from another by a job that stands for it", async () => {
    const { p, source, job, a, b } = await world();
    await write.deleted(job, ago(90));
    await write.declared([b, a, b], ago(30));
    expect(await jobsAt(20, source)).toEqual([`${p}/a > ${p}/b.derivation > ${p}/b`]);
  });

  it("leaves out what was deleted then, and tells of what is deleted or purged by now", async () => {
    const { p, source, job, a, b } = await world();
    await write.ended([job, a, job], ago(80), ago(4));
    await write.ended([job, job, b], ago(80), ago(8));
    await write.deleted(a, ago(60), ago(40));
    await write.deleted(b, ago(9), ago(8));
    await write.purged(b, ago(8), `${p}/b`, "b");
    expect(await jobsAt(70, source)).toEqual([`${p}/a > ${p}/job > ${p}/b`]);
    expect(await jobsAt(50, source)).toEqual([` > ${p}/job > ${p}/b`]);
    expect(await jobsAt(8.5, source)).toEqual([`${p}/a > ${p}/job > `]);
    await write.deleted(job, ago(5), ago(4));
    await write.purged(job, ago(4), `${p}/job`, "job");
    await test.db.query("UPDATE entity_tombstone SET source_catrn = $1 WHERE entity_id = $2", [
      p,
      job,
    ]);
    expect(await jobsAt(70, source)).toEqual([`${p}/a > ${p}/job > ${p}/b`]);
    expect(await jobsAt(4.5, source)).toEqual([]);
    expect(await jobsAt(3, source)).toEqual([]);
  });

  it("reads on when a whole page was not there yet", async () => {
    const source = await seedSource(test.db);
    for (let n = 0; n <= pastEntities; n++) await seedEntity(test.db, { sourceId: source });
    const job = await seedEntity(test.db, { catrn: "//last", type: "JOB", sourceId: source });
    await write.created([job], ago(10));
    expect(await jobsAt(5, source)).toEqual([" > //last > "]);
  });

  it("400 for a time to come, without an offset, or before the history begins", async () => {
    for (const at of [ago(-1), "2026-01-01T00:00:00", "2001-01-01T00:00:00Z"]) {
      const { status, json } = await exportAt(at);
      expect([status, json.details[0].field]).toEqual([400, "as_of"]);
    }
  });
});
