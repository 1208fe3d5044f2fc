import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { purgeDeleted } from "#services/api/housekeeping/purge.ts";
import { SqlLineageMetrics } from "#services/ingest-consumer/sql-lineage/metrics.ts";
import type { SqlJob } from "#services/ingest-consumer/sql-lineage/model.ts";
import { SqlReader } from "#services/ingest-consumer/sql-lineage/reader.ts";
import { SqlLineageWorker } from "#services/ingest-consumer/sql-lineage/worker.ts";
import { type Arrow, catrnOf, columnJob, columnTable } from "#test/columns/world.ts";
import { type ColumnWorld, columnWorld } from "#test/columns/world.ts";
import { eventually } from "#test/support/eventually.ts";

let at: ColumnWorld;
const running: SqlLineageWorker[] = [];
beforeAll(async () => {
  at = await columnWorld((ids) => running.forEach((worker) => worker.hint(ids)));
});
afterEach(() => Promise.all(running.splice(0).map((worker) => worker.stop())));
afterAll(() => at.drop());

const patient = { metrics: noMetrics, deadlineMs: 60_000 };

async function start(enabled = true, reader = new SqlReader(patient)) {
  const worker = new SqlLineageWorker({
    enabled,
    db: at.db,
    reader,
    clock: systemClock,
    log: silentLogger,
    metrics: new SqlLineageMetrics(noMetrics),
  });
  await worker.start((error) => {
    throw error;
  });
  running.push(worker);
  return worker;
}

/** Waits until nothing is left to read. */
const settled = () =>
  eventually(async () =>
    expect(await at.rows("SELECT sql_due(ARRAY(SELECT id FROM data_entity)) AS due")).toEqual([])
  );

/** A job that fills `<name>-mart` from `<name>-raw` by this SQL. */
function sqlJob(name: string, sql?: string, arrows?: Arrow[]) {
  const job = columnJob(`${name}-job`, arrows);
  const io = { inputs: [catrnOf(`${name}-raw`)], outputs: [catrnOf(`${name}-mart`)] };
  return {
    ...job,
    data_transformer: { ...job.data_transformer as object, ...io, ...(sql ? { sql } : {}) },
  };
}
const insert = (name: string, from = "a", into = "x") =>
  `INSERT INTO "${name}-mart" (${into}) SELECT ${from} FROM "${name}-raw" WHERE live`;
const tables = (name: string) => [
  columnTable(`${name}-raw`, "A", "b", "live"),
  columnTable(`${name}-mart`, "x", "y"),
];
/** Edges of a job by names, with what has a say, each with where it comes from. */
async function edges(name: string): Promise<string[]> {
  const path = `/api/dataentities/${await at.id(`${name}-job`)}/columns/lineage`;
  const { json } = await at.api.get(path);
  const names = new Map(json.columns.map((c: { id: number; name: string }) => [c.id, c.name]));
  return json.edges.map((e: Record<string, never>) =>
    `${names.get(e.source_id)} ${e.kind === "DIRECT" ? ">" : "~>"} ${
      names.get(e.target_id)
    } ${e.origin}`
  ).sort();
}
const past = async (name: string) =>
  await at.rows<{ origin: number }>(
    "SELECT origin FROM column_edge_history WHERE establisher_id = $1",
    await at.id(`${name}-job`),
  );

describe("column lineage of SQL", () => {
  it("is read after the batch was applied, and again when the SQL is another one", async () => {
    await start();
    await at.post([...tables("n"), sqlJob("n", insert("n"))]);
    await settled();
    expect(await edges("n")).toEqual(["A > x SQL", "live ~> null SQL"]);
    expect(await at.walk("n-mart", "upstream")).toEqual(["n-raw.A > n-mart.x"]);
    const { json } = await at.ask("n-mart", "upstream");
    expect(json.edges[0]).toMatchObject({ subtype: "IDENTITY", origin: "SQL" });
    await at.post([sqlJob("n", insert("n", "max(b)", "y"))]);
    await settled();
    expect(await edges("n")).toEqual(["b > y SQL", "live ~> null SQL"]);
    expect(await past("n")).toEqual([{ origin: 1 }]);
  });

  it("is not touched by the same batch again, and its edges keep their time", async () => {
    await start();
    const items = [...tables("r"), sqlJob("r", insert("r"))];
    await at.post(items);
    await settled();
    const rows = async () =>
      await at.rows("SELECT * FROM column_edge WHERE establisher_id = $1", await at.id("r-job"));
    const before = await rows();
    await at.post(items);
    await at.post([{ ...sqlJob("r", insert("r")), description: "told anew" }]);
    await settled();
    expect(await rows()).toEqual(before);
    expect(await past("r")).toEqual([]);
  });

  it("gives way to what is declared, and comes back when nothing is", async () => {
    await start();
    await at.post([...tables("d"), sqlJob("d", insert("d"))]);
    await settled();
    await at.post([sqlJob("d", insert("d"), [["d-mart.y", "d-raw.b"]])]);
    expect(await edges("d")).toEqual(["b > y DECLARED"]);
    await settled();
    await at.post([sqlJob("d", insert("d", "b"))]);
    await settled();
    expect(await edges("d")).toEqual(["b > y DECLARED"]);
    await at.post([sqlJob("d", insert("d"), [])]);
    await settled();
    expect(await edges("d")).toEqual(["A > x SQL", "live ~> null SQL"]);
    await at.post([sqlJob("d", insert("d", "b"), [])]);
    await settled();
    expect(await edges("d")).toEqual(["b > x SQL", "live ~> null SQL"]);
  });

  it("goes when the SQL goes, or is understood no more", async () => {
    await start();
    await at.post([...tables("g"), sqlJob("g", insert("g"))]);
    await settled();
    await at.post([sqlJob("g", "UPDATE x SET a = 1")]);
    await settled();
    expect(await edges("g")).toEqual([]);
    const outcome = () =>
      at.rows(
        "SELECT outcome FROM sql_reading r JOIN data_entity e " +
          "ON e.id = r.entity_id WHERE e.catrn = $1",
        catrnOf("g-job"),
      );
    expect(await outcome()).toEqual([{ outcome: "statement" }]);
    await at.post([sqlJob("g", insert("g"))]);
    await settled();
    expect(await edges("g")).toHaveLength(2);
    await at.post([sqlJob("g")]);
    await settled();
    expect([await edges("g"), await outcome()]).toEqual([[], []]);
  });

  it("of a view is that of the view itself", async () => {
    await start();
    const view = {
      ...columnTable("v-view", "x"),
      type: "VIEW",
      data_transformer: {
        inputs: [catrnOf("v-raw")],
        outputs: [],
        sql: `SELECT max(b) AS x FROM "v-raw" GROUP BY a`,
      },
    };
    await at.post([columnTable("v-raw", "a", "b"), view]);
    await settled();
    expect(await at.walk("v-view", "upstream", "include_indirect=true"))
      .toEqual(["v-raw.a ~> v-view", "v-raw.b > v-view.x"]);
  });

  it("follows the structures of what is read and written", async () => {
    await start();
    await at.post([sqlJob("s", `INSERT INTO "s-mart" SELECT * FROM "s-raw"`)]);
    await settled();
    expect(await edges("s")).toEqual([]);
    await at.post(tables("s").slice(0, 1));
    await settled();
    expect(await edges("s")).toEqual(["A > a SQL", "b > b SQL", "live > live SQL"]);
    await at.post([columnTable("s-raw", "a", "b")]);
    await settled();
    await at.post([columnTable("s-mart", "x", "y")]);
    await settled();
    expect(await edges("s")).toEqual(["a > x SQL", "b > y SQL"]);
  });

  it("hides and shows with its datasets, and goes with its entity", async () => {
    await start();
    await at.post([...tables("l"), sqlJob("l", insert("l"))]);
    await settled();
    await at.setStatus("l-raw", "DELETED");
    expect(await at.walk("l-mart", "upstream")).toEqual([]);
    await at.post([sqlJob("l", insert("l", "b"))]);
    await settled();
    expect(await at.walk("l-mart", "upstream")).toEqual([]);
    await at.setStatus("l-raw", "STABLE");
    expect(await at.walk("l-mart", "upstream")).toEqual(["l-raw.b > l-mart.x"]);
    const job = await at.id("l-job");
    await at.setStatus("l-job", "DELETED");
    await purgeDeleted(at.db, new Date("2100-01-01T00:00:00.000Z"), 100);
    expect(await at.rows("SELECT 1 FROM sql_reading WHERE entity_id = $1", job)).toEqual([]);
    expect(await at.walk("l-mart", "upstream")).toEqual([]);
  });
});

describe("what nobody read", () => {
  it("is found by the next worker: what a killed one left, and what ended elsewhere", async () => {
    await at.post([...tables("k"), sqlJob("k", insert("k"))]);
    await start();
    await settled();
    expect(await edges("k")).toHaveLength(2);
    await Promise.all(running.splice(0).map((worker) => worker.stop()));
    await at.rows("DELETE FROM column_edge WHERE establisher_id = $1", await at.id("k-job"));
    await start();
    await settled();
    expect(await edges("k")).toHaveLength(2);
  });

  it("is given up when processes end again and again while they read it", async () => {
    await at.post([...tables("e"), sqlJob("e", insert("e"))]);
    await start();
    await settled();
    await Promise.all(running.splice(0).map((worker) => worker.stop()));
    const [job] = [await at.id("e-job")];
    const left = (set: string) =>
      at.rows(`UPDATE sql_reading SET ${set} WHERE entity_id = $1`, job);
    const outcome = async () => {
      await start();
      await settled();
      await Promise.all(running.splice(0).map((worker) => worker.stop()));
      const [row] = await at.rows("SELECT outcome FROM sql_reading WHERE entity_id = $1", job);
      return [row!.outcome, (await edges("e")).length];
    };
    await left("outcome = 'reading', attempts = 2");
    expect(await outcome()).toEqual(["read", 2]);
    await left("outcome = 'reading', attempts = 3");
    expect(await outcome()).toEqual(["crashed", 0]);
    expect(await outcome()).toEqual(["crashed", 0]);
    await left("read_at = now() - interval '2 days'");
    expect(await outcome()).toEqual(["read", 2]);
  });

  it("is read by several workers at a time, once", async () => {
    const names = ["m1", "m2", "m3", "m4"];
    await at.post(names.flatMap((name) => [...tables(name), sqlJob(name, insert(name))]));
    await Promise.all([start(), start()]);
    await settled();
    for (const name of names) {
      expect([name, await edges(name)]).toEqual([name, [
        "A > x SQL",
        "live ~> null SQL",
      ]]);
    }
  });

  it("and changed while it was read, is read again", async () => {
    await at.post([...tables("w"), sqlJob("w", insert("w"))]);
    const sqls: string[] = [];
    class Slow extends SqlReader {
      override async read(job: SqlJob) {
        sqls.push(job.sql);
        if (sqls.length === 1) await at.post([sqlJob("w", insert("w", "b"))]);
        return await super.read(job);
      }
    }
    await start(true, new Slow(patient));
    await settled();
    expect(sqls).toEqual([insert("w"), insert("w", "b")]);
    expect(await edges("w")).toEqual(["b > x SQL", "live ~> null SQL"]);
    expect(await past("w")).toEqual([]);
  });
});

it("switched off, what was read goes to the history, and what was declared stays", async () => {
  await start();
  await at.post([...tables("o"), sqlJob("o", insert("o"))]);
  await at.post([columnJob("o2-job", [["o-mart.y", "o-raw.b"]])]);
  await settled();
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
  const off = await start(false);
  expect(off.health()).toEqual({ ready: true, state: "disabled" });
  await eventually(async () => expect(await at.rows("SELECT 1 FROM sql_reading")).toEqual([]));
  expect(await at.rows("SELECT 1 FROM column_edge WHERE origin = 1")).toEqual([]);
  expect([await edges("o"), await edges("o2")]).toEqual([[], ["b > y DECLARED"]]);
  expect(await past("o")).toEqual([{ origin: 1 }, { origin: 1 }]);
  await at.post([sqlJob("o", insert("o", "b"))]);
  expect(await edges("o")).toEqual([]);
});
