import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { unavailable } from "#kit/errors.ts";
import {
  directRecord,
  type Harness,
  harness,
  httpRecord,
  job,
  replayOf,
  source,
  table,
} from "./testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

const minute = 60_000;
const outcome = async (batch: string, part = 0) =>
  (await at.rows("SELECT * FROM applied_batch WHERE batch = $1 AND part = $2", batch, part))[0];

describe("Pipeline", () => {
  it("applies a chunk: entities, activity, outbox position, outcome", async () => {
    expect(await at.post([table("//w/a"), job("//w/j", ["//w/a"], [])], { batch: "b1", part: 3 }))
      .toBe("applied");
    const { id } = await at.entity("//w/j");
    const [outbox] = await at.rows("SELECT * FROM lineage_outbox ORDER BY position DESC LIMIT 1");
    expect(outbox).toMatchObject({ entity_ids: [id] });
    expect(await outcome("b1", 3)).toMatchObject({
      outcome: "applied",
      position: outbox!.position,
    });
    const events = await at.rows("SELECT * FROM activity WHERE entity_id = $1", id);
    expect(events).toMatchObject([{
      event_type: "DATA_ENTITY_CREATED",
      system_event: true,
      created_by: null,
      new_state: { data_entity: { id, catrn: "//w/j", type: "JOB" } },
    }]);
    expect(await at.rows("SELECT 1 FROM search_document WHERE entity_id = $1", id)).toHaveLength(1);
  });

  it("draws no position when no lineage moved", async () => {
    const [{ head }] = await at.rows<{ head: number }>("SELECT lineage_head() AS head") as [
      { head: number },
    ];
    await at.post([table("//w/still")], { batch: "still" });
    expect(await outcome("still")).toMatchObject({ position: head });
    expect(await at.rows("SELECT lineage_head() AS head")).toEqual([{ head }]);
  });

  it("has no second effect when a record is delivered again", async () => {
    const record = httpRecord([table("//w/again", { description: "first" })]);
    await at.pipeline.process(record);
    const { id } = await at.entity("//w/again");
    await at.rows("UPDATE data_entity SET external_description = 'touched' WHERE id = $1", id);
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await at.entity("//w/again")).toMatchObject({ id, external_description: "touched" });
    expect(await at.rows("SELECT 1 FROM activity WHERE entity_id = $1", id)).toHaveLength(1);
  });

  it("never lets an older batch overwrite a newer one", async () => {
    const now = Date.now();
    await at.post([table("//w/age", { description: "new" })], { receivedAt: now });
    await at.post([table("//w/age", { description: "old" })], { receivedAt: now - minute });
    expect(await at.entity("//w/age")).toMatchObject({ external_description: "new" });
    await at.post([table("//w/age", { description: "newer" })], { receivedAt: now + minute });
    expect(await at.entity("//w/age")).toMatchObject({ external_description: "newer" });
  });

  it("orders batches of one millisecond by their ids", async () => {
    const receivedAt = Date.now();
    await at.post([table("//w/tie", { description: "b" })], { receivedAt, batch: "tie-b" });
    await at.post([table("//w/tie", { description: "a" })], { receivedAt, batch: "tie-a" });
    expect(await at.entity("//w/tie")).toMatchObject({ external_description: "b" });
  });

  it("remembers that a newer batch saw an unchanged entity", async () => {
    const now = Date.now();
    await at.post([table("//w/seen", { description: "same" })], { receivedAt: now });
    await at.post([table("//w/seen", { description: "same" })], { receivedAt: now + minute });
    await at.post([table("//w/seen", { description: "late" })], { receivedAt: now + 1 });
    expect(await at.entity("//w/seen")).toMatchObject({ external_description: "same" });
  });
});

describe("Pipeline refusals", () => {
  it("refuses a chunk of an unknown data source, and applies its replay after the repair", async () => {
    const receivedAt = Date.now() - minute;
    const post = { source: "//late", batch: "late", part: 2, receivedAt };
    expect(await at.post([table("//late/t")], post)).toBe("refused");
    expect(await outcome("late", 2)).toMatchObject({
      outcome: "refused",
      detail: { status: 500, code: "SYS001", reason: "unknown_data_source" },
    });
    const deadLetter = at.deadLetters.pop()!;
    expect(deadLetter).toMatchObject({
      reason: "unknown_data_source",
      record: {
        headers: { [batchHeaders.batch]: "late", [batchHeaders.receivedAt]: String(receivedAt) },
      },
    });
    await at.rows("INSERT INTO data_source (catrn, name) VALUES ('//late', 'late')");
    expect(await at.pipeline.process(replayOf(deadLetter))).toBe("applied");
    expect(await outcome("late", 2)).toMatchObject({ outcome: "applied", detail: null });
    const row = await at.entity("//late/t");
    expect((row.received_at as Date).getTime()).toBe(receivedAt);
  });

  it("writes one letter for a record that is delivered twice, another for a failed replay", async () => {
    const record = httpRecord([table("//x/t")], { source: "//never" });
    await at.pipeline.process(record);
    await at.pipeline.process(record);
    expect(at.deadLetters.splice(0)).toHaveLength(1);
    await at.pipeline.process({ ...record, offset: record.offset + 1_000_000 });
    expect(at.deadLetters.splice(0)).toHaveLength(1);
  });

  it("refuses one CATRN twice in a chunk, naming both items", async () => {
    const items = [table("//w/d1"), table("//w/d2"), table("//w/d1")];
    expect(await at.post(items, { batch: "double" })).toBe("refused");
    expect((await outcome("double"))!.detail).toMatchObject({
      status: 500,
      reason: "duplicate_catrn",
      details: [{ field: "items[2].catrn" }],
    });
    expect(at.deadLetters.splice(0)).toHaveLength(1);
  });

  it("takes several entities of one name", async () => {
    const items = [
      table("//w/one/order", { name: "order" }),
      table("//w/two/order", { name: "order" }),
    ];
    expect(await at.post(items)).toBe("applied");
  });

  it("refuses a whole chunk of an HTTP batch for one wrong item", async () => {
    const wrong = { catrn: "//w/wrong", name: "w", type: "TABLE" };
    expect(await at.post([table("//w/right"), wrong], { batch: "mixed" })).toBe("refused");
    expect((await outcome("mixed"))!.detail).toMatchObject({
      status: 400,
      reason: "invalid_items",
    });
    await expect(at.entity("//w/right")).rejects.toThrow();
    at.deadLetters.length = 0;
  });

  it("applies the sound items of a direct record and dead-letters the others alone", async () => {
    const wrong = { catrn: "//w/lone", name: "w", type: "TABLE", dataset: { field_list: 3 } };
    const record = directRecord({ data_source_catrn: source, items: [table("//w/sound"), wrong] });
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await at.entity("//w/sound")).toMatchObject({ hollow: false });
    const batch = `${record.topic}/${record.partition}/${record.offset}`;
    const [deadLetter, ...others] = at.deadLetters.splice(0);
    expect(others).toEqual([]);
    expect(JSON.parse(new TextDecoder().decode(deadLetter!.record.value)))
      .toEqual({ data_source_catrn: source, items: [wrong] });
    expect(deadLetter!.record.headers).toMatchObject({ batch, part: "1" });
    expect(deadLetter!.details).toMatchObject([{ field: "items[1].dataset.field_list" }]);
    expect(await outcome(batch, 1)).toMatchObject({ outcome: "refused" });
  });

  it("applies repaired items of a direct record under the time of the record", async () => {
    const wrong = { catrn: "//w/mend", name: "w", type: "TABLE", dataset: {} };
    const record = directRecord({ data_source_catrn: source, items: [table("//w/fine"), wrong] });
    await at.pipeline.process(record);
    const replay = replayOf(at.deadLetters.pop()!);
    const repaired = { data_source_catrn: source, items: [table("//w/mend")] };
    replay.value = new TextEncoder().encode(JSON.stringify(repaired));
    expect(await at.pipeline.process(replay)).toBe("applied");
    const { received_at } = await at.entity("//w/mend");
    expect((received_at as Date).getTime()).toBe(record.timestamp);
  });

  it("takes direct records in the upstream spelling", async () => {
    const spelled = { oddrn: "//w/up", name: "up", type: "TABLE", dataset: { field_list: [] } };
    const record = directRecord({ data_source_oddrn: source, items: [spelled] });
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await at.entity("//w/up")).toMatchObject({ external_name: "up" });
  });

  it("applies a large direct record in chunks, each once", async () => {
    const items = Array.from({ length: 2_300 }, (_, i) => table(`//w/large/${i}`));
    const record = directRecord({ data_source_catrn: source, items });
    await at.pipeline.process(record);
    expect(await at.pipeline.process(record)).toBe("applied");
    const batch = `${record.topic}/${record.partition}/${record.offset}`;
    const chunkRows = await at.rows(
      "SELECT part, outcome FROM applied_batch WHERE batch = $1 ORDER BY part",
      batch,
    );
    expect(chunkRows).toEqual([0, 1, 2].map((part) => ({ part, outcome: "applied" })));
    const [{ n }] = await at.rows<{ n: number }>(
      "SELECT count(*) AS n FROM activity a JOIN data_entity e ON e.id = a.entity_id " +
        "WHERE e.catrn LIKE '//w/large/%'",
    ) as [{ n: number }];
    expect(n).toBe(2_300);
  });

  it("gives up a record that fails for no known reason only after ten deliveries", async () => {
    const failing = at.pipelineOver(() => Promise.reject(new TypeError("a fault of ours")));
    const record = httpRecord([table("//w/failing")], { batch: "failing" });
    for (let i = 0; i < 9; i++) await expect(failing.process(record)).rejects.toThrow(TypeError);
    expect(await failing.process(record)).toBe("refused");
    expect(at.deadLetters.splice(0)).toMatchObject([{ reason: "internal_error" }]);
    expect((await outcome("failing"))!.detail).toMatchObject({
      status: 500,
      message: "The batch could not be processed",
    });
  });

  it("never gives up a record while the store is away", async () => {
    const away = at.pipelineOver(() => Promise.reject(unavailable("The store is not available")));
    const record = httpRecord([table("//w/away")]);
    const lost = at.pipelineOver(() => Promise.reject(new Error("Connection terminated")));
    for (let i = 0; i < 15; i++) {
      await expect(away.process(record)).rejects.toThrow("not available");
      await expect(lost.process(record)).rejects.toThrow("terminated");
    }
    expect(at.deadLetters).toEqual([]);
  });

  it("begins a chunk again after a deadlock", async () => {
    let failures = 3;
    const busy = at.pipelineOver((work) =>
      failures-- > 0
        ? Promise.reject(Object.assign(new Error("deadlock detected"), { code: "40P01" }))
        : at.db.transaction(work)
    );
    expect(await busy.process(httpRecord([table("//w/deadlock")]))).toBe("applied");
    expect(await at.entity("//w/deadlock")).toMatchObject({ hollow: false });
  });
});
