import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//kafka/host/refusals";
const topic = (name: string, more: object = {}) => ({
  catrn: `${source}/${name}`,
  name,
  type: "KAFKA_TOPIC",
  dataset: { field_list: [] },
  ...more,
});

const malformed: [string, object | string, string][] = [
  ["no source", { items: [topic("a")] }, "data_source_catrn"],
  ["no items", { data_source_catrn: source, items: [] }, "items"],
  ["absent items", { data_source_catrn: source }, "items"],
  ["null items", { data_source_catrn: source, items: null }, "items"],
  ["items that are none", { data_source_catrn: source, items: [null, 7] }, "items[1]"],
  [
    "no catrn",
    { data_source_catrn: source, items: [{ ...topic("a"), catrn: null }] },
    "items[0].catrn",
  ],
  [
    "no name",
    { data_source_catrn: source, items: [{ ...topic("a"), name: undefined }] },
    "items[0].name",
  ],
  [
    "an unknown type",
    { data_source_catrn: source, items: [topic("a", { type: "UNKNOWN" })] },
    "items[0].type",
  ],
  ["a type of the service", {
    data_source_catrn: source,
    items: [topic("a", { type: "LOOKUP_TABLE" })],
  }, "items[0].type"],
  [
    "no part",
    { data_source_catrn: source, items: [topic("a", { dataset: null })] },
    "items[0]",
  ],
  [
    "a run without a run",
    { data_source_catrn: source, items: [topic("a", { type: "JOB_RUN", dataset: null })] },
    "items[0]",
  ],
  [
    "a naive time",
    { data_source_catrn: source, items: [topic("a", { created_at: "2024-01-01 10:00:00" })] },
    "items[0].created_at",
  ],
  [
    "a parent field elsewhere",
    {
      data_source_catrn: source,
      items: [topic("a", {
        dataset: {
          field_list: [{
            catrn: "f",
            name: "f",
            type: { type: "TYPE_LIST", is_nullable: true },
            parent_field_catrn: "g",
          }],
        },
      })],
    },
    "items[0].dataset.field_list[0].parent_field_catrn",
  ],
  [
    "a reference that refers to nothing",
    {
      data_source_catrn: source,
      items: [topic("a", {
        dataset: {
          field_list: [{
            catrn: "f",
            name: "f",
            type: { type: "TYPE_REFERENCE", is_nullable: true },
          }],
        },
      })],
    },
    "items[0].dataset.field_list[0].reference_catrn",
  ],
  [
    "rows beyond 64 bits",
    `{"data_source_catrn":"${source}","items":[{"catrn":"c","name":"c","type":"TABLE",` +
    `"dataset":{"rows_number":9223372036854775808,"field_list":[]}}]}`,
    "items[0].dataset.rows_number",
  ],
];

journey("what is refused, and how", (client) => {
  const post = (...items: unknown[]) =>
    client().post("/ingestion/entities", { data_source_catrn: source, items });
  const raw = (body: string, headers?: HeadersInit) =>
    client().post("/ingestion/entities", body, headers);

  it("answers a server error that is not worth a retry for the faults that collectors repeat", async () => {
    await client().register(source);
    const unknown = await client().post("/ingestion/entities", {
      data_source_catrn: "//never/registered",
      items: [topic("a")],
    });
    const twice = await post(topic("a"), topic("b"), topic("a", { name: "other" }));
    const big = await raw(JSON.stringify({
      data_source_catrn: source,
      items: [topic("a", { description: "x".repeat(20 * 1_048_576) })],
    }));
    for (const answer of [unknown, twice, big]) {
      expect([answer.status >= 500, answer.json.retryable]).toEqual([true, false]);
    }
    expect(unknown.json.message).toContain("//never/registered");
    expect(twice.json.message).toContain(`${source}/a`);
    expect(await client().find(`${source}/b`)).toBeUndefined();
  });

  it("takes several entities with one name", async () => {
    const two = await post(topic("x", { name: "orders" }), topic("y", { name: "orders" }));
    expect(two.status).toBe(200);
  });

  it.each(malformed)("refuses %s naming the field", async (_, body, field) => {
    const answer = await client().post("/ingestion/entities", body);
    expect([answer.status, answer.json.code, answer.json.retryable]).toEqual([
      400,
      "USR001",
      false,
    ]);
    expect(answer.json.details.map((d: { field: string }) => d.field)).toContain(field);
  });

  it("names the path in the collector's own spelling of a batch as we read it", async () => {
    const answer = await raw(JSON.stringify({
      data_source_oddrn: source,
      items: [{ oddrn: "", name: "n", type: "TABLE", dataset: { field_list: [] } }],
    }));
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "items[0].catrn"]);
  });

  it.each([
    ["", "text"],
    ["{", "half an object"],
    ["[]", "an array"],
    ["null", "null"],
    ['"x"', "a string"],
    [`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "deep nesting"],
    ['{"data_source_catrn":"\\ud800","items":[]}', "half a surrogate pair"],
    ['{"data_source_catrn":"a\\u0000b","items":[]}', "NUL"],
  ])("answers JSON to %j everywhere", async (body) => {
    const paths = ["entities", "entities/datasets/stats", "datasources", "metrics"];
    for (const path of paths) {
      const answer = await client().post(`/ingestion/${path}`, body);
      expect([path, answer.status, answer.json.code]).toEqual([path, 400, "USR001"]);
    }
    const searched = await client().post("/api/search", body);
    expect([searched.status, searched.json.code]).toEqual([400, "USR001"]);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded"])(
    "takes no body of %s, which any web page could send",
    async (type) => {
      const headers = { "content-type": type };
      const body = JSON.stringify({ items: [{ catrn: source, name: "again" }] });
      for (const path of ["/ingestion/datasources", "/ingestion/entities", "/api/namespaces"]) {
        const refused = await client().post(path, body, headers);
        expect([path, refused.status, refused.json.code]).toEqual([path, 415, "USR001"]);
      }
    },
  );

  it("asks for a body where there is none, and leaves everything as it is", async () => {
    await client().ingest(source, topic("quiet", {}));
    const path = `/api/dataentities/${await client().id(`${source}/quiet`)}/alert_config`;
    const halted = { failed_dq_test_halt_until: "2999-01-01T00:00:00.000Z" };
    expect((await client().put(path, halted)).status).toBe(200);
    const refused = await client().put(path);
    expect([refused.status, refused.json.details]).toEqual([
      400,
      [{ field: "body", message: "is required" }],
    ]);
    expect(await client().read(path)).toMatchObject(halted);
  });
});
