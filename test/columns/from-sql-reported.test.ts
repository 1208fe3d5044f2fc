import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { insert, sqlJob, type SqlTestBed, sqlWorld, tables } from "#test/columns/sql-world.ts";
import { arrowsOf } from "#test/columns/world.ts";

let at: SqlTestBed;
beforeAll(async () => void (at = await sqlWorld()));
afterEach(() => at.stop());
afterAll(() => at.drop());

/** What those who follow the catalogue were told since this was requested last. */
async function sqlReadings(): Promise<Record<string, unknown>[]> {
  const rows = await at.rows<{ kind: string; source: string; details: Record<string, unknown> }>(
    `WITH read AS (DELETE FROM change WHERE kind <> 'beginning' RETURNING *)
     SELECT c.kind, s.catrn AS source, c.details
       FROM read c LEFT JOIN data_source s ON s.id = c.source_id ORDER BY c.xid, c.id`,
  );
  return rows.map(({ kind, source, details }) => ({ kind, source, ...details }));
}

/** As a chunk of a batch that changed so many entities is told. */
const changed = async (entities: number) => {
  const [first] = await at.rows<{ catrn: string }>("SELECT catrn FROM data_source LIMIT 1");
  const [head] = await at.rows<{ position: number }>("SELECT lineage_head() AS position");
  const counts = { new: 0, changed: entities, unchanged: 0, stale: 0 };
  return { kind: "ingestion", source: first!.catrn, position: head!.position, entities: counts };
};

const now = async () => {
  const [row] = await at.rows<{ at: string }>("SELECT iso(clock_timestamp()) AS at");
  return row!.at;
};

describe("those who follow the catalogue", () => {
  it("are told of columns that are read after a batch, and of none that stay", async () => {
    await at.post([...tables("t"), sqlJob("t", insert("t"))]);
    await sqlReadings();
    await at.start();
    await at.settled();
    expect(await sqlReadings()).toEqual([await changed(1)]);
    await at.stop();
    await at.post([{ ...sqlJob("t", insert("t")), description: "told anew" }]);
    await sqlReadings();
    await at.start();
    await at.settled();
    expect(await sqlReadings()).toEqual([]);
  });

  it("are told of columns that end, with SQL that is understood no more, or switched off", async () => {
    await at.start();
    await at.post([...tables("e"), sqlJob("e", insert("e"))]);
    await at.settled();
    await at.stop();
    await at.post([sqlJob("e", "CALL fill()")]);
    await sqlReadings();
    await at.start();
    await at.settled();
    expect(await sqlReadings()).toEqual([await changed(1)]);
    await at.post([sqlJob("e", insert("e"))]);
    await at.settled();
    await at.stop();
    await sqlReadings();
    const [{ jobs }] = await at.rows<{ jobs: number }>(
      "SELECT count(DISTINCT establisher_id)::int AS jobs FROM column_edge",
    ) as [{ jobs: number }];
    await at.start(false);
    await at.withdrawn();
    expect(await sqlReadings()).toEqual([await changed(jobs)]);
  });
});

describe("the past", () => {
  it("has the columns that were read from SQL then, beside those of now", async () => {
    await at.start();
    await at.post([...tables("p"), sqlJob("p", insert("p"))]);
    await at.settled();
    const time = await now();
    await at.post([sqlJob("p", insert("p", "b", "y"))]);
    await at.settled();
    const past = await at.ask("p-mart", "upstream", `as_of=${time}`);
    expect(arrowsOf(past)).toEqual(["p-raw.A > p-mart.x"]);
    expect(past.json.edges[0]).toMatchObject({ origin: "SQL" });
    expect(await at.walk("p-mart", "upstream")).toEqual(["p-raw.b > p-mart.y"]);
  });
});
