import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { eventually } from "#test/support/eventually.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import {
  type CollectorHarness,
  collectorHarness,
  found,
  tableCatrn,
  tableItem,
} from "../testing/harness.ts";

let at: CollectorHarness;
beforeEach(async () => void (at = await collectorHarness({ concurrency: 2 })));
afterEach(() => at.drop());

const finds = (...names: string[]) => {
  at.source.read = async function* () {
    for (const name of names) yield found(tableItem(name));
  };
};

/** The entity as a consumer would have stored it. */
const applied = (name: string) =>
  at.db.query(
    `INSERT INTO data_entity (catrn, type_id, class_ids, data_source_id, hollow, received_at, last_ingested_at)
     SELECT $1, 1, '{1}', id, false, now() + interval '1 minute', now() - interval '2 days' FROM data_source`,
    [tableCatrn(name)],
  );
const statusOf = async (name: string) =>
  (await at.db.query<{ status: string }>(
    "SELECT status_name(status) AS status FROM data_entity WHERE catrn = $1",
    [tableCatrn(name)],
  ))[0]?.status;

describe("a run", () => {
  it("publishes what it reads once, and nothing when nothing has changed", async () => {
    finds("a", "b");
    await at.start();
    expect(await at.ran()).toMatchObject({
      state: "SUCCEEDED",
      counts: { read: 2, added: 2, changed: 0, unchanged: 0, removed: 0, skipped: 0 },
    });
    expect(at.batches).toEqual([[tableCatrn("a"), tableCatrn("b")]]);
    expect((await at.ran()).counts).toMatchObject({ read: 2, added: 0, unchanged: 2 });
    expect(at.batches).toHaveLength(1);
  });

  it("publishes only what differs", async () => {
    finds("a", "b");
    await at.start();
    await at.ran();
    at.source.read = async function* () {
      yield found(tableItem("a"));
      yield found(tableItem("b", "new words"));
    };
    expect((await at.ran()).counts).toMatchObject({ changed: 1, unchanged: 1 });
    expect(at.batches[1]).toEqual([tableCatrn("b")]);
  });

  it("removes what a complete read no longer finds, and lets it come back", async () => {
    finds("a", "b");
    await at.start();
    await at.ran();
    await Promise.all([applied("a"), applied("b")]);
    finds("a");
    expect((await at.ran()).counts).toMatchObject({ removed: 1 });
    expect([await statusOf("a"), await statusOf("b")]).toEqual(["UNASSIGNED", "DELETED"]);
    finds("a", "b");
    expect((await at.ran()).counts).toMatchObject({ added: 1 });
    expect(at.batches.at(-1)).toEqual([tableCatrn("b")]);
  });

  it("keeps an asset until its last batch is applied", async () => {
    finds("a");
    await at.start();
    await at.ran();
    finds();
    expect((await at.ran()).counts).toMatchObject({ removed: 0 });
    await applied("a");
    expect((await at.ran()).counts).toMatchObject({ removed: 1 });
  });

  it("counts what is unchanged as seen, so that it does not become stale", async () => {
    finds("a");
    await at.start();
    await at.ran();
    await applied("a");
    await at.ran();
    expect(
      await at.db.query(
        "SELECT 1 FROM data_entity WHERE last_ingested_at > now() - interval '1 h'",
      ),
    )
      .toHaveLength(1);
  });

  it("publishes again what somebody deleted in the catalogue", async () => {
    finds("a", "b");
    await at.start();
    await at.ran();
    await Promise.all([applied("a"), applied("b")]);
    await at.db.query("UPDATE connection_item SET published_at = 1");
    await at.db.query("UPDATE data_entity SET status = 5 WHERE catrn = $1", [tableCatrn("b")]);
    expect((await at.ran()).counts).toMatchObject({ changed: 1, unchanged: 1 });
    expect(at.batches.at(-1)).toEqual([tableCatrn("b")]);
  });

  it("names what it cannot read, leaves that as it was, and removes nothing of it", async () => {
    finds("a", "b");
    await at.start();
    await at.ran();
    await Promise.all([applied("a"), applied("b")]);
    at.source.read = async function* () {
      yield found(tableItem("a"));
      const problem = {
        object: "shop.b",
        reason: "the user lacks a privilege",
        remedy: "Grant it",
      };
      yield { kind: "problem", problem, catrn: tableCatrn("b") };
    };
    expect(await at.ran()).toMatchObject({
      state: "PARTIAL",
      counts: { removed: 0, skipped: 1 },
      problems: [{ object: "shop.b", reason: "the user lacks a privilege" }],
    });
    expect(await statusOf("b")).toBe("UNASSIGNED");
  });

  it("removes nothing when it cannot tell what it missed", async () => {
    finds("a", "b");
    await at.start();
    await at.ran();
    await Promise.all([applied("a"), applied("b")]);
    at.source.read = async function* () {
      yield found(tableItem("a"));
      yield { kind: "problem", problem: { object: "schema x", reason: "cannot be listed" } };
    };
    expect(await at.ran()).toMatchObject({ state: "PARTIAL", counts: { removed: 0, skipped: 1 } });
    expect(await statusOf("b")).toBe("UNASSIGNED");
  });

  it("removes nothing when the read breaks off", async () => {
    finds("a", "b");
    await at.start();
    await at.ran();
    await applied("b");
    at.source.read = async function* () {
      yield found(tableItem("a"));
      throw new SourceError("db.example", "the connection broke", "Check the network");
    };
    expect(await at.ran()).toMatchObject({
      state: "FAILED",
      error: { reason: "the connection broke", remedy: "Check the network" },
    });
    expect(await statusOf("b")).toBe("UNASSIGNED");
  });

  it("opens one alert for a source that cannot be read, and resolves it with the next good run", async () => {
    const open = () => at.db.query("SELECT id FROM alert WHERE status = 1");
    at.source.read = () => {
      throw new SourceError("db.example", "the connection broke");
    };
    await at.start();
    await at.ran();
    await eventually(async () => expect(await open()).toHaveLength(1));
    await at.ran();
    await eventually(async () => {
      expect(await at.db.query("SELECT 1 FROM alert_chunk")).toHaveLength(2);
    });
    expect(await open()).toHaveLength(1);
    finds("a");
    await at.ran();
    await eventually(async () => expect(await open()).toEqual([]));
  });

  it("never shows what an unexpected error says", async () => {
    at.source.read = () => {
      throw new Error("postgres://reader:s3cret@db.example");
    };
    await at.start();
    const run = await at.ran();
    expect(run.state).toBe("FAILED");
    expect(JSON.stringify(run)).not.toContain("s3cret");
  });

  it("costs an item that nobody can take itself only", async () => {
    at.source.read = async function* () {
      yield found({ ...tableItem("bad"), type: "NO_TYPE" as "TABLE" });
      yield found(tableItem("good"));
    };
    await at.start();
    expect(await at.ran()).toMatchObject({ state: "PARTIAL", counts: { added: 1, skipped: 1 } });
    expect(at.batches).toEqual([[tableCatrn("good")]]);
  });

  it("names what the catalogue refuses, and publishes it again", async () => {
    finds("a");
    const publish = async (_: string, [record]: NewRecord[]) => {
      at.batches.push([record!.key!]);
      await at.db.query(
        `INSERT INTO applied_batch (batch, part, outcome, position, detail)
         VALUES ($1, 0, 'applied', 0, '{"left_out": 1, "message": "belongs to another source"}')`,
        [record!.headers[batchHeaders.batch]],
      );
      return [];
    };
    await at.start("one", { events: { publish } });
    expect(await at.ran()).toMatchObject({
      state: "PARTIAL",
      problems: [{ reason: expect.stringContaining("belongs to another source") }],
    });
    await at.ran();
    expect(at.batches).toHaveLength(2);
  });

  it("goes out in batches of bounded size", async () => {
    at.source.read = async function* () {
      for (let i = 0; i < 2_500; i++) yield found(tableItem(`t${i}`));
    };
    await at.start();
    expect((await at.ran()).counts.added).toBe(2_500);
    expect(at.batches.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...at.batches.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
  });
});

describe("tests and previews", () => {
  it("publish nothing", async () => {
    finds("a", "b");
    await at.start();
    expect(await at.ran("TEST")).toMatchObject({ state: "SUCCEEDED", checks: [{ outcome: "OK" }] });
    expect(await at.ran("PREVIEW")).toMatchObject({
      counts: { read: 2 },
      preview: [tableCatrn("a"), tableCatrn("b")],
    });
    expect(at.batches).toEqual([]);
  });
});
