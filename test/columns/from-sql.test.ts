import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { purgeDeleted } from "#services/housekeeping/purge.ts";
import { insert, sqlJob, type SqlTestBed, sqlWorld, tables } from "#test/columns/sql-world.ts";
import { catrnOf, columnTable } from "#test/columns/world.ts";

let at: SqlTestBed;
beforeAll(async () => void (at = await sqlWorld()));
afterEach(() => at.stop());
afterAll(() => at.drop());

describe("column lineage of SQL", () => {
  it("is read after the batch was applied, and again when the SQL is another one", async () => {
    await at.start();
    await at.post([...tables("n"), sqlJob("n", insert("n"))]);
    await at.settled();
    expect(await at.edges("n")).toEqual(["A > x SQL", "live ~> null SQL"]);
    expect(await at.walk("n-mart", "upstream")).toEqual(["n-raw.A > n-mart.x"]);
    const { json } = await at.ask("n-mart", "upstream");
    expect(json.edges[0]).toMatchObject({ subtype: "IDENTITY", origin: "SQL" });
    await at.post([sqlJob("n", insert("n", "max(b)", "y"))]);
    await at.settled();
    expect(await at.edges("n")).toEqual(["b > y SQL", "live ~> null SQL"]);
    expect(await at.past("n")).toEqual([{ origin: 1 }]);
  });

  it("is not touched by the same batch again, and its edges keep their time", async () => {
    await at.start();
    const items = [...tables("r"), sqlJob("r", insert("r"))];
    await at.post(items);
    await at.settled();
    const rows = async () =>
      await at.rows("SELECT * FROM column_edge WHERE establisher_id = $1", await at.id("r-job"));
    const before = await rows();
    await at.post(items);
    await at.post([{ ...sqlJob("r", insert("r")), description: "told anew" }]);
    await at.settled();
    expect(await rows()).toEqual(before);
    expect(await at.past("r")).toEqual([]);
  });

  it("has lower precedence than what is declared, and comes back when nothing is", async () => {
    await at.start();
    await at.post([...tables("d"), sqlJob("d", insert("d"))]);
    await at.settled();
    await at.post([sqlJob("d", insert("d"), [["d-mart.y", "d-raw.b"]])]);
    expect(await at.edges("d")).toEqual(["b > y DECLARED"]);
    await at.settled();
    await at.post([sqlJob("d", insert("d", "b"))]);
    await at.settled();
    expect(await at.edges("d")).toEqual(["b > y DECLARED"]);
    await at.post([sqlJob("d", insert("d"), [])]);
    await at.settled();
    expect(await at.edges("d")).toEqual(["A > x SQL", "live ~> null SQL"]);
    await at.post([sqlJob("d", insert("d", "b"), [])]);
    await at.settled();
    expect(await at.edges("d")).toEqual(["b > x SQL", "live ~> null SQL"]);
  });

  it("goes when the SQL goes, or is understood no more", async () => {
    await at.start();
    await at.post([...tables("g"), sqlJob("g", insert("g"))]);
    await at.settled();
    await at.post([sqlJob("g", "CALL fill()")]);
    await at.settled();
    expect(await at.edges("g")).toEqual([]);
    const outcome = () =>
      at.rows(
        "SELECT outcome FROM sql_reading r JOIN data_entity e " +
          "ON e.id = r.entity_id WHERE e.catrn = $1",
        catrnOf("g-job"),
      );
    expect(await outcome()).toEqual([{ outcome: "statement" }]);
    await at.post([sqlJob("g", insert("g"))]);
    await at.settled();
    expect(await at.edges("g")).toHaveLength(2);
    await at.post([sqlJob("g")]);
    await at.settled();
    expect([await at.edges("g"), await outcome()]).toEqual([[], []]);
  });

  it("of a view is that of the view itself", async () => {
    await at.start();
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
    await at.settled();
    expect(await at.walk("v-view", "upstream", "include_indirect=true"))
      .toEqual(["v-raw.a ~> v-view", "v-raw.b > v-view.x"]);
  });

  it("follows the structures of what is read and written", async () => {
    await at.start();
    await at.post([sqlJob("s", `INSERT INTO "s-mart" SELECT * FROM "s-raw"`)]);
    await at.settled();
    expect(await at.edges("s")).toEqual([]);
    await at.post(tables("s").slice(0, 1));
    await at.settled();
    expect(await at.edges("s")).toEqual(["A > A SQL", "b > b SQL", "live > live SQL"]);
    await at.post([columnTable("s-raw", "a", "b")]);
    await at.settled();
    await at.post([columnTable("s-mart", "x", "y")]);
    await at.settled();
    expect(await at.edges("s")).toEqual(["a > x SQL", "b > y SQL"]);
  });

  it("says what could not be traced, and where it stands in the SQL", async () => {
    await at.start();
    const sql = `INSERT INTO "p-mart" (x, y) SELECT a, "p-raw".nothing FROM "p-raw"`;
    await at.post([...tables("p"), sqlJob("p", sql)]);
    await at.settled();
    const { json } = await at.ask("p-mart", "upstream");
    expect(json.not_traced).toEqual([{
      establisher_id: await at.id("p-job"),
      dataset_id: await at.id("p-mart"),
      column: "y",
      reason: "column",
      line: 1,
      position: sql.indexOf('"p-raw".nothing') + 1,
    }]);
    const job = await at.api.get(`/api/dataentities/${await at.id("p-job")}/columns/lineage`);
    expect(job.json.sql.outputs).toEqual([
      { dataset_id: await at.id("p-mart"), columns: 2, partly_traced: 0, not_traced: 1 },
    ]);
  });

  it("hides and shows with its datasets, and goes with its entity", async () => {
    await at.start();
    await at.post([...tables("l"), sqlJob("l", insert("l"))]);
    await at.settled();
    await at.setStatus("l-raw", "DELETED");
    expect(await at.walk("l-mart", "upstream")).toEqual([]);
    await at.post([sqlJob("l", insert("l", "b"))]);
    await at.settled();
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
