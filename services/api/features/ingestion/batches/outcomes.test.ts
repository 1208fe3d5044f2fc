import { describe, expect, it } from "vitest";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { eventually } from "#test/support/eventually.ts";
import { applyingAt, settle } from "#test/support/http/ingestion.ts";
import { ingestionRoutes } from "../routes.ts";
import { batch, intakes, source, table } from "./testing/ingestion.ts";

const fixture = intakes();

describe("POST /ingestion/entities, waiting", () => {
  it("answers applied with the highest position of its chunks", async () => {
    const intake = fixture.open();
    intake.onPublish = async (records) => {
      for (const [i, record] of records.entries()) {
        await settle(fixture.database, record, "applied", 7 + i);
      }
    };
    const items = Array.from({ length: 1_500 }, (_, i) => table(`//t/${i}`));
    const answer = await intake.api.post("/ingestion/entities", batch(...items));
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers.get("x-ingestion-state")).toBe("applied");
    expect(answer.headers.get("x-lineage-position")).toBe("8");
    expect(intake.published.map(({ key }) => key)).toEqual([source, source]);
    const sizes = intake.published.map(({ value }) => JSON.parse(new TextDecoder().decode(value)))
      .map((body) => body.items.length);
    expect(sizes).toEqual([1_000, 500]);
    expect(intake.published[1]!.headers).toMatchObject({
      type: "ingestion.batch",
      version: "1",
      part: "1",
      parts: "2",
    });
  });

  it("answers by the poll when no notification comes", async () => {
    const intake = fixture.open();
    intake.onPublish = async ([record]) => {
      await fixture.database.db.query("INSERT INTO applied_batch VALUES ($1, 0, 'applied', 3)", [
        record!.headers[batchHeaders.batch],
      ]);
    };
    const answer = await intake.api.post("/ingestion/entities", batch(table("//a")));
    expect(answer.headers.get("x-ingestion-state")).toBe("applied");
  });

  it("answers queued without a position when the time runs out", async () => {
    const intake = fixture.open({ ingestion: { "ack-timeout": "50 ms" } });
    const answer = await intake.api.post("/ingestion/entities", batch(table("//a")));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-ingestion-state")).toBe("queued");
    expect(answer.headers.has("x-lineage-position")).toBe(false);
  });

  it("answers queued at once when too many wait, and when the service stops", async () => {
    const intake = fixture.open({ open: (context) => ingestionRoutes(context, { maxWaiters: 1 }) });
    const first = intake.api.post("/ingestion/entities", batch(table("//a")));
    await eventually(() => expect(intake.published.length).toBe(1));
    const second = await intake.api.post("/ingestion/entities", batch(table("//b")));
    expect(second.headers.get("x-ingestion-state")).toBe("queued");
    intake.stop();
    expect((await first).headers.get("x-ingestion-state")).toBe("queued");
    const late = await intake.api.post("/ingestion/entities", batch(table("//c")));
    expect(late.headers.get("x-ingestion-state")).toBe("queued");
  });

  it("answers the refusal of a chunk with the places of the posted body", async () => {
    const intake = fixture.open();
    intake.onPublish = async ([record]) => {
      const details = [{ field: "items[1].data_entity_group", message: "of items[0] is wrong" }];
      await settle(fixture.database, record!, "refused", 0, {
        status: 400,
        reason: "x",
        message: "No",
        details,
      });
    };
    const group = {
      catrn: "//g",
      name: "g",
      type: "DAG",
      data_entity_group: { entities_list: [] },
    };
    const answer = await intake.api.post("/ingestion/entities", batch(group, table("//a")));
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ message: "No", code: "USR001", retryable: false });
    expect(answer.json.details).toEqual([
      { field: "items[0].data_entity_group", message: "of items[1] is wrong" },
    ]);
  });

  it("tells of items that were left out whatever became of the others", async () => {
    const intake = fixture.open({ ingestion: { "ack-timeout": "50 ms" } });
    const body = batch(table("//a"), table("//b", { dataset: null }));
    const answer = await intake.api.post("/ingestion/entities", body);
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "queued"]);
    expect(answer.headers.get("x-ingestion-refused")).toBe("1");
    expect(answer.json.details.map((d: { field: string }) => d.field)).toEqual(["items[1]"]);
    expect(JSON.parse(new TextDecoder().decode(intake.published[0]!.value)).items)
      .toEqual([table("//a")]);
  });

  /** 1,500 valid items in two chunks, after one that is left out; the second chunk gets this outcome. */
  async function secondChunk(status: number, details: object[]) {
    const intake = fixture.open();
    intake.onPublish = async ([first, second]) => {
      await settle(fixture.database, first!, "applied", 3);
      const detail = { status, reason: "x", message: "No: items[2]", details };
      await settle(fixture.database, second!, "refused", 9, detail);
    };
    const typeMismatches = [table("//first", { type: "JOB" }), table("//last", { type: "JOB" })];
    const items = Array.from({ length: 1_498 }, (_, i) => table(`//t/${i}`));
    const body = batch({ catrn: "//none" }, typeMismatches[0]!, ...items, typeMismatches[1]!);
    return await intake.api.post("/ingestion/entities", body);
  }

  it("counts and names the items of a chunk that was refused later", async () => {
    const answer = await secondChunk(400, [{ field: "items[2].name", message: "is wrong" }]);
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    expect(answer.headers.get("x-lineage-position")).toBe("3");
    expect(answer.headers.get("x-ingestion-refused")).toBe("501");
    expect(answer.json.refused).toBe(501);
    const fields = answer.json.details.map((d: { field: string }) => d.field);
    expect(fields).toHaveLength(100);
    expect(fields).toContain("items[1003].name");
    expect(fields.slice(0, 2)).toEqual(["items[0].name", "items[0].type"]);
    expect(fields).toContain("items[1001]");
    expect(fields).not.toContain("items[1003]");
    expect(answer.json.details.at(-1).message).toBe("No: items[1003]");
  });

  it("remarks on what was taken, and not on what was refused later", async () => {
    const intake = fixture.open();
    intake.onPublish = async ([first, second]) => {
      await settle(fixture.database, first!, "applied", 3);
      await settle(fixture.database, second!, "refused", 9, { status: 400, message: "No" });
    };
    const large = { description: "x".repeat(500_000) };
    const [one, two] = ["//one", "//two"].map((catrn) => table(catrn, { type: "JOB", ...large }));
    const answer = await intake.api.post("/ingestion/entities", batch(one!, two!));
    expect(answer.json).toEqual({
      refused: 1,
      details: [
        { field: "items[1]", message: "No" },
        {
          field: "items[0].type",
          message: "JOB was taken with dataset, where data_transformer or data_quality_test is " +
            "expected",
        },
      ],
    });
  });

  it("tells of items that belong to other data sources, and refuses a batch of nothing else", async () => {
    const intake = fixture.open();
    const details = [{ field: "items", message: "//a belongs to data source //other" }];
    intake.onPublish = ([record]) =>
      settle(fixture.database, record!, "applied", 3, { status: 403, left_out: 1, details });
    const some = await intake.api.post("/ingestion/entities", batch(table("//a"), table("//b")));
    expect([some.status, some.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    expect(some.headers.get("x-ingestion-refused")).toBe("1");
    expect(some.json).toEqual({ refused: 1, details });
    const none = await intake.api.post("/ingestion/entities", batch(table("//a")));
    expect([none.status, none.json.retryable]).toEqual([403, false]);
    expect(none.json).toMatchObject({
      message: "Nothing was applied: //a belongs to data source //other",
      details,
    });
  });

  it("answers the fault of a chunk that is the batch's", async () => {
    const answer = await secondChunk(500, []);
    expect([answer.status, answer.json.retryable]).toEqual([500, false]);
    expect(answer.json.message).toBe("No: items[1003]; 1 of 2 parts of the batch were not refused");
    expect(answer.json.details.map((d: { field: string }) => d.field))
      .toEqual(["items[0].name", "items[0].type"]);
  });

  it.each([
    ["running", 5, "applied"],
    ["running", 4, "stored"],
    ["waiting_for_graph", 4, "stored"],
  ])("with a graph that is %s at %i answers %s for position 5", async (state, at, expected) => {
    const intake = fixture.open({
      projection: "projected",
      ingestion: { "ack-timeout": "1 s" },
    });
    await setProjection(state, at);
    intake.onPublish = applyingAt(fixture.database, 5);
    const answer = await intake.api.post("/ingestion/entities", batch(table("//a")));
    expect(answer.headers.get("x-ingestion-state")).toBe(expected);
    expect(answer.headers.get("x-lineage-position")).toBe("5");
  });

  it("answers applied when the graph catches up", async () => {
    const intake = fixture.open({ projection: "projected" });
    await setProjection("running", 4);
    intake.onPublish = applyingAt(fixture.database, 5);
    const answer = intake.api.post("/ingestion/entities", batch(table("//a")));
    await eventually(() => expect(intake.published.length).toBe(1));
    await setProjection("running", 5);
    expect((await answer).headers.get("x-ingestion-state")).toBe("applied");
  });
});

async function setProjection(state: string, position: number) {
  await fixture.database.db.query(
    `INSERT INTO projection_status (position, state, seen_at) VALUES ($2, $1, now())
     ON CONFLICT (one) DO UPDATE SET state = $1, position = $2, seen_at = now()`,
    [state, position],
  );
  await fixture.database.db.query("SELECT pg_notify('projection', '')");
}
