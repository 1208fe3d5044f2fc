import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

/** What collectors of the upstream ecosystem send, and read, as their released code does it. */
const source = "//sagemaker/host/account";
const at = (name: string) => `${source}/${name}`;
const file = (name: string, more: object = {}) => ({
  oddrn: at(name),
  name,
  type: "FILE",
  dataset: { field_list: [] },
  ...more,
});
const image = {
  oddrn: at("image"),
  name: "image",
  type: "MICROSERVICE",
  data_input: { outputs: [at("training")] },
};
const training = {
  oddrn: at("training"),
  name: "training",
  type: "JOB",
  data_transformer: { inputs: [], outputs: [] },
};
const model = {
  oddrn: at("model"),
  name: "model",
  type: "ML_MODEL",
  data_consumer: { inputs: [at("training")] },
};

journey("collectors of the ecosystem, unchanged", (client) => {
  const post = (...items: unknown[]) =>
    client().post("/ingestion/entities", { data_source_oddrn: source, items });
  const counted = async (metric: string) => {
    const text = await (await client().instance.send("GET", "/metrics")).text();
    const lines = text.split("\n").filter((line) => line.startsWith(metric));
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };

  it("a type that its parts do not fit is taken as its parts say, and is told of", async () => {
    await client().register(source);
    const answer = await post(image, model, training);
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    expect(answer.headers.get("x-ingestion-refused")).toBeNull();
    expect(answer.json.refused).toBe(0);
    expect(answer.json.details.map((d: { field: string }) => d.field))
      .toEqual(["items[0].type", "items[1].type"]);
    const read = async (name: string) =>
      await client().read(`/api/dataentities/${await client().id(at(name))}`);
    const [consumer, input] = [await read("model"), await read("image")];
    const classes = (entity: { entity_classes: { name: string }[] }) =>
      entity.entity_classes.map(({ name }) => name);
    expect([consumer.type.name, classes(consumer)]).toEqual(["ML_MODEL", ["DATA_CONSUMER"]]);
    expect([input.type.name, classes(input)]).toEqual(["MICROSERVICE", ["DATA_INPUT"]]);
    const { edges } = await client().lineage(await client().id(at("model")), "upstream");
    expect(edges).toEqual(["image>training", "training>model"]);
    await expect.poll(() => counted("tributary_ingest_misfits_total")).toBe(2);
  });

  it("one bad item costs no other, and the answer names it", async () => {
    const items: object[] = Array.from({ length: 250 }, (_, n) => file(`chunk ${n}`));
    items[7] = { ...file("no parts"), dataset: null };
    items[100] = file("with NUL", { description: "a\0b" });
    items[249] = file("wrong", { name: 7 });
    const answer = await post(...items);
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    expect(answer.headers.get("x-ingestion-refused")).toBe("3");
    expect(answer.json.refused).toBe(3);
    expect(answer.json.details.map((d: { field: string }) => d.field))
      .toEqual(["items[7]", "items[100].description", "items[249].name"]);
    const list = await client().read("/api/dataentities", { page: 1, size: 1, query: "chunk" });
    expect(list.page_info.total).toBe(247);
    expect(await client().find(at("wrong"))).toBeUndefined();
    expect(await counted("tributary_ingestion_refused_total")).toBe(3);
  });

  it("nothing applicable is 400, and a fault of the whole batch stays one", async () => {
    const none = await post(file("a", { name: 7 }), file("b", { dataset: null }));
    expect([none.status, none.json.details.length]).toEqual([400, 2]);
    const twice = await post(file("d1"), file("d1"), file("e", { name: 7 }));
    expect([twice.status, twice.json.retryable]).toEqual([500, false]);
    const unknown = await client().post("/ingestion/entities", {
      data_source_oddrn: "//nobody",
      items: [file("a"), file("b", { name: 7 })],
    });
    expect([unknown.status, unknown.json.retryable]).toEqual([500, false]);
    expect(await client().find(at("d1"))).toBeUndefined();
  });

  it("statistics of unknown fields are named, those of known ones recorded", async () => {
    const table = at("measured");
    const column = `${table}/columns/known`;
    const type = { type: "TYPE_INTEGER", is_nullable: true };
    await post(file("measured", { dataset: { field_list: [{ oddrn: column, name: "k", type }] } }));
    const stats = { complex_stats: { nulls_count: 3, unique_count: 4 } };
    const send = (fields: object, dataset_oddrn = table) =>
      client().post("/ingestion/entities/datasets/stats", { items: [{ dataset_oddrn, fields }] });
    const answer = await send({ [column]: stats, gone: stats });
    expect([answer.status, answer.headers.get("x-ingestion-refused")]).toEqual([201, "1"]);
    expect(answer.json).toMatchObject({ refused: 1, details: [{ field: "items[0].fields.gone" }] });
    const structure = await client().read(
      `/api/datasets/${await client().id(table)}/structure`,
    );
    expect(structure.field_list[0].stats).toMatchObject(stats);
    expect((await send({ gone: stats })).status).toBe(404);
    expect((await send({ [column]: stats }, "//nobody")).status).toBe(404);
  });

  it("members are told in the spelling in which they were requested", async () => {
    const group = {
      oddrn: source,
      name: "all",
      type: "DATABASE_SERVICE",
      data_entity_group: { entities_list: [at("model")] },
    };
    expect((await post(group)).status).toBe(200);
    const path = "/ingestion/entities/degs/children";
    const members = await client().read(path, { oddrn: source });
    expect(members.items.map((item: { oddrn: string; type: string }) => [item.oddrn, item.type]))
      .toEqual([[at("model"), "ML_MODEL"]]);
    expect(members.items[0].catrn).toBe(at("model"));
  });

  it("Alertmanager may go on posting where it did", async () => {
    const alerts = [{ status: "firing", labels: { entity_oddrn: at("model") } }];
    const answer = await client().post("/ingestion/alert/alertmanager", { alerts });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    const id = await client().id(at("model"));
    const found = await client().read(`/api/dataentities/${id}/alerts`, { page: 1, size: 5 });
    expect(found.items.map((alert: { type: string }) => alert.type))
      .toEqual(["DISTRIBUTION_ANOMALY"]);
  });
});
