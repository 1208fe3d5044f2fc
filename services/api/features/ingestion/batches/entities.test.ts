import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import { applyingAt } from "#test/support/http/ingestion.ts";
import { batch, intakes, table } from "./testing/ingestion.ts";

const fixture = intakes();

describe("POST /ingestion/entities", () => {
  it("names the fields of a malformed body with 400", async () => {
    const intake = fixture.open();
    const wrong = table("//a", { dataset: { field_list: [{ catrn: "f", name: "f", type: {} }] } });
    const answer = await intake.api.post("/ingestion/entities", batch(table(""), wrong));
    expect(answer.status).toBe(400);
    expect(answer.json.details.map((d: { field: string }) => d.field)).toEqual([
      "items[0].catrn",
      "items[1].dataset.field_list[0].type.type",
      "items[1].dataset.field_list[0].type.is_nullable",
    ]);
    for (const body of ["", "{", "[]", "null", '"x"', "[".repeat(500), batch(), { items: [] }]) {
      const { status, json } = await intake.api.post("/ingestion/entities", body);
      expect([status, json.code]).toEqual([400, "USR001"]);
    }
    expect(intake.published).toEqual([]);
  });

  it.each([
    [
      "an unknown data source",
      { data_source_catrn: "//nobody", items: [table("//a")] },
      "//nobody",
    ],
    ["a catrn twice", batch(table("//twice"), table("//b"), table("//twice")), "//twice"],
    ["a body over the limit", batch(table("x".repeat(900), { name: "y".repeat(2_000) })), "2048"],
  ])("refuses %s with 500, not retryable, naming it", async (_, body, named) => {
    const intake = fixture.open({ ingestion: { "max-body-size": 2_048 } });
    const answer = await intake.api.post("/ingestion/entities", body);
    expect([answer.status, answer.json.retryable]).toEqual([500, false]);
    expect(answer.json.message).toContain(named);
    expect(intake.published).toEqual([]);
  });

  it("accepts several items of one name", async () => {
    const intake = fixture.open();
    intake.onPublish = applyingAt(fixture.database, 1);
    const items = [table("//a", { name: "same" }), table("//b", { name: "same" })];
    expect((await intake.api.post("/ingestion/entities", batch(...items))).status).toBe(200);
  });

  it("takes gzip, counts its content, and refuses what it cannot unpack", async () => {
    const intake = fixture.open({ ingestion: { "max-body-size": "100 kB" } });
    intake.onPublish = applyingAt(fixture.database, 1);
    const send = (body: Uint8Array, encoding: string) =>
      intake.api.send("POST", "/ingestion/entities", body, { "content-encoding": encoding });
    const zipped = (body: object) => gzipSync(JSON.stringify(body));
    expect((await send(zipped(batch(table("//a"))), "gzip")).status).toBe(200);
    const bomb = zipped(batch(table("//a", { description: "x".repeat(5_000_000) })));
    expect((await send(bomb, "gzip")).status).toBe(500);
    const broken = await send(new Uint8Array([1, 2, 3]), "gzip");
    expect([broken.status, broken.json.code]).toEqual([400, "USR001"]);
    expect((await send(bomb, "br")).status).toBe(415);
  });

  it("reads a large body in a thread, with the same answers", async () => {
    const intake = fixture.open();
    intake.onPublish = applyingAt(fixture.database, 9);
    const filler = "x".repeat(1_000);
    const items = Array.from({ length: 600 }, (_, i) => table(`//t/${i}`, { description: filler }));
    const good = await intake.api.post("/ingestion/entities", batch(...items));
    expect(good.headers.get("x-ingestion-state")).toBe("applied");
    expect(intake.published.length).toBe(1);
    const wrong = await intake.api.post("/ingestion/entities", batch(...items, { catrn: "//x" }));
    expect([wrong.status, wrong.headers.get("x-ingestion-refused")]).toEqual([200, "1"]);
    expect(wrong.json.details[0]).toEqual({
      field: "items[600].name",
      message: "is required (entity //x)",
    });
    const twice = await intake.api.post("/ingestion/entities", batch(...items, items[0]!));
    expect([twice.status, twice.json.retryable]).toEqual([500, false]);
    expect(twice.json.message).toContain("//t/0 more than once: items[0], items[600]");
  });

  it("publishes keys of the upstream spelling translated", async () => {
    const intake = fixture.open();
    intake.onPublish = applyingAt(fixture.database, 1);
    const text = JSON.stringify(batch(table("//a"))).replaceAll('catrn"', 'oddrn"');
    expect((await intake.api.post("/ingestion/entities", text)).status).toBe(200);
    expect(new TextDecoder().decode(intake.published[0]!.value)).toBe(
      JSON.stringify(batch(table("//a"))),
    );
  });

  it("answers 503 with Retry-After when the event log is down", async () => {
    const intake = fixture.open();
    intake.onPublish = () => Promise.reject(unavailable("The event log does not answer"));
    const answer = await intake.api.post("/ingestion/entities", batch(table("//a")));
    expect([answer.status, answer.json.retryable]).toEqual([503, true]);
    expect(answer.headers.get("retry-after")).toBe("5");
  });

  it("hands the client's trace on", async () => {
    const intake = fixture.open();
    intake.onPublish = applyingAt(fixture.database, 1);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const body = JSON.stringify(batch(table("//a")));
    await intake.api.send("POST", "/ingestion/entities", body, { traceparent });
    expect(intake.published[0]!.headers.traceparent).toContain("0af7651916cd43dd8448eb211c80319c");
  });
});
