import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SqlJob } from "#services/ingest-consumer/sql-lineage/model.ts";
import { SqlReader } from "#services/ingest-consumer/sql-lineage/reader.ts";
import {
  insert,
  patientOptions,
  sqlJob,
  type SqlTestBed,
  sqlWorld,
  tables,
} from "#test/columns/sql-world.ts";
import { columnJob } from "#test/columns/world.ts";
import { eventually } from "#test/support/eventually.ts";

let at: SqlTestBed;
beforeAll(async () => void (at = await sqlWorld()));
afterEach(() => at.stop());
afterAll(() => at.drop());

describe("what nobody read", () => {
  it("is found by the next worker: what a killed one left, and what ended elsewhere", async () => {
    await at.post([...tables("k"), sqlJob("k", insert("k"))]);
    await at.start();
    await at.settled();
    expect(await at.edges("k")).toHaveLength(2);
    await at.stop();
    await at.rows("DELETE FROM column_edge WHERE establisher_id = $1", await at.id("k-job"));
    await at.start();
    await at.settled();
    expect(await at.edges("k")).toHaveLength(2);
  });

  it("is given up when processes end again and again while they read it", async () => {
    await at.post([...tables("e"), sqlJob("e", insert("e"))]);
    await at.start();
    await at.settled();
    await at.stop();
    const [job] = [await at.id("e-job")];
    const left = (set: string) =>
      at.rows(`UPDATE sql_reading SET ${set} WHERE entity_id = $1`, job);
    const outcome = async () => {
      await at.start();
      await at.settled();
      await at.stop();
      const [row] = await at.rows("SELECT outcome FROM sql_reading WHERE entity_id = $1", job);
      return [row!.outcome, (await at.edges("e")).length];
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
    await Promise.all([at.start(), at.start()]);
    await at.settled();
    for (const name of names) {
      expect([name, await at.edges(name)]).toEqual([name, [
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
        // What other cases left may be read again meanwhile.
        if (!job.sql.includes('"w-')) return await super.read(job);
        sqls.push(job.sql);
        if (sqls.length === 1) await at.post([sqlJob("w", insert("w", "b"))]);
        return await super.read(job);
      }
    }
    await at.start(true, new Slow(patientOptions));
    await at.settled();
    expect(sqls).toEqual([insert("w"), insert("w", "b")]);
    expect(await at.edges("w")).toEqual(["b > x SQL", "live ~> null SQL"]);
    expect(await at.past("w")).toEqual([]);
  });
});

it("switched off, what was read goes to the history, and what was declared stays", async () => {
  await at.start();
  await at.post([...tables("o"), sqlJob("o", insert("o"))]);
  await at.post([columnJob("o2-job", [["o-mart.y", "o-raw.b"]])]);
  await at.settled();
  await at.stop();
  const off = await at.start(false);
  expect(off.health()).toEqual({ ready: true, state: "disabled" });
  await eventually(async () => expect(await at.rows("SELECT 1 FROM sql_reading")).toEqual([]));
  expect(await at.rows("SELECT 1 FROM column_edge WHERE origin = 1")).toEqual([]);
  expect([await at.edges("o"), await at.edges("o2")]).toEqual([[], ["b > y DECLARED"]]);
  expect(await at.past("o")).toEqual([{ origin: 1 }, { origin: 1 }]);
  await at.post([sqlJob("o", insert("o", "b"))]);
  expect(await at.edges("o")).toEqual([]);
});
