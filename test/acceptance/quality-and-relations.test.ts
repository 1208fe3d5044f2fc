import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//great_expectations/host/quality";
const at = (name: string) => `${source}/${name}`;
const table = (name: string) => ({
  catrn: at(name),
  name,
  type: "TABLE",
  dataset: {
    field_list: ["id", "ref"].map((column) => ({
      catrn: `${at(name)}/${column}`,
      name: column,
      type: { type: "TYPE_INTEGER", is_nullable: false },
    })),
  },
});
const test = (datasets: string[]) => ({
  catrn: at("not_null"),
  name: "not_null",
  type: "JOB",
  data_quality_test: {
    suite_name: "suite",
    suite_url: "https://suite",
    dataset_list: datasets.map(at),
    expectation: { type: "not_null", category: "ASSERTION", column: "id", limit: 5, extra: null },
    linked_url_list: [{ name: "docs", url: "https://docs" }],
  },
});
const run = (n: number, status: string, more: object = {}) => ({
  catrn: at(`runs/${n}`),
  name: "not_null",
  type: "JOB_RUN",
  data_quality_test_run: {
    data_quality_test_catrn: at("not_null"),
    start_time: `2024-01-0${n}T00:00:00Z`,
    end_time: `2024-01-0${n}T00:10:00Z`,
    status_reason: status === "FAILED" ? "5 rows" : null,
    status,
    ...more,
  },
});
const erd = (name: string, from: string, to: string, more: object = {}) => ({
  catrn: at(name),
  name,
  type: "ENTITY_RELATIONSHIP",
  data_relationship: {
    relationship_type: "ERD",
    source_dataset_catrn: at(from),
    target_dataset_catrn: at(to),
    details: {
      relationship_entity_name: "ERDRelationship",
      source_dataset_field_catrns_list: [`${at(from)}/ref`, `${at(from)}/ghost`],
      target_dataset_field_catrns_list: [`${at(to)}/id`, `${at(to)}/id`],
      is_identifying: true,
      cardinality: "ONE_TO_ZERO_ONE_OR_MORE",
      ...more,
    },
  },
});
const graph = (name: string, from: string, to: string) => ({
  catrn: at(name),
  name,
  type: "GRAPH_RELATIONSHIP",
  data_relationship: {
    relationship_type: "GRAPH",
    source_dataset_catrn: at(from),
    target_dataset_catrn: at(to),
    details: {
      relationship_entity_name: "GraphRelationship",
      is_directed: true,
      attributes: { label: "KNOWS", weight: 1.5, since: { year: 2020 }, none: null },
    },
  },
});

journey("tests, runs and relationships", (client) => {
  it("ties a test to exactly the datasets it declares, without lineage", async () => {
    await client().register(source);
    await client().ingest(source, run(1, "SUCCESS"), test(["orders", "later"]), table("orders"));
    const id = await client().id(at("not_null"));
    const details = await client().read(`/api/dataentities/${id}`);
    expect(details).toMatchObject({
      suite_name: "suite",
      suite_url: "https://suite",
      linked_url_list: [{ name: "docs", url: "https://docs" }],
      expectation: { type: "not_null", category: "ASSERTION", column: "id", limit: "5" },
      latest_run: { status: "SUCCESS" },
    });
    expect(details.datasets_list.map((d: { catrn: string }) => d.catrn).sort())
      .toEqual([at("later"), at("orders")]);
    expect((await client().lineage(id, "upstream")).edges).toEqual([]);
    await client().ingest(source, test(["orders"]));
    const repeated = await client().read(`/api/dataentities/${id}`);
    expect(repeated.datasets_list.map((d: { catrn: string }) => d.catrn)).toEqual([at("orders")]);
  });

  it("takes the run that ended last as the latest, in any order of arrival", async () => {
    await client().ingest(source, run(3, "FAILED"), run(2, "BROKEN"));
    await client().ingest(source, run(1, "SUCCESS"));
    const id = await client().id(at("not_null"));
    const details = await client().read(`/api/dataentities/${id}`);
    expect(details.latest_run).toMatchObject({
      catrn: at("runs/3"),
      status: "FAILED",
      status_reason: "5 rows",
      start_time: "2024-01-03T00:00:00.000Z",
      end_time: "2024-01-03T00:10:00.000Z",
      data_entity_id: id,
    });
    const page = await client().read(`/api/dataentities/${id}/runs`, { page: 2, size: 2 });
    expect([page.items.length, page.page_info]).toEqual([1, { total: 3, hasNext: false }]);
  });

  it.each(["SUCCESS", "FAILED", "SKIPPED", "BROKEN", "ABORTED", "RUNNING", "UNKNOWN"])(
    "knows a run's status %s",
    async (status) => {
      await client().ingest(source, run(9, status, { end_time: null }));
      const id = await client().id(at("not_null"));
      const list = await client().read(`/api/dataentities/${id}/runs`, {
        page: 1,
        size: 9,
        status,
      });
      expect(list.items.map((r: { catrn: string }) => r.catrn)).toContain(at("runs/9"));
    },
  );

  it("takes relationships of both kinds in one batch, whatever is known of their ends", async () => {
    await client().ingest(
      source,
      graph("knows", "orders", "person"),
      erd("fk", "orders", "customers"),
      table("customers"),
      erd("self", "customers", "customers", { cardinality: null, is_identifying: null }),
    );
    const list = (type: string, more: object = {}) =>
      client().read("/api/relationships", { page: 1, size: 10, type, ...more });
    const all = await list("ALL");
    expect(all.items.map((r: { name: string; type: string }) => `${r.name} ${r.type}`).sort())
      .toEqual([
        "fk ENTITY_RELATIONSHIP",
        "knows GRAPH_RELATIONSHIP",
        "self ENTITY_RELATIONSHIP",
      ]);
    expect((await list("ERD")).page_info.total).toBe(2);
    expect((await list("GRAPH")).page_info.total).toBe(1);
    expect((await list("ALL", { query: "NOW" })).page_info.total).toBe(1);
    expect((await list("ALL", { query: "orders" })).page_info.total).toBe(0);
    expect((await list("ALL", { query: "%" })).page_info.total).toBe(0);
  });

  it("details each kind, and only by its own address", async () => {
    const fk = await client().id(at("fk"));
    const knows = await client().id(at("knows"));
    const one = await client().read(`/api/relationships/erd/${fk}`);
    const orders = await client().read(
      `/api/datasets/${await client().id(at("orders"))}/structure`,
    );
    const ref = orders.field_list.find((f: { name: string }) => f.name === "ref");
    expect(one.graph_relationship).toBeNull();
    expect(one.erd_relationship).toMatchObject({
      is_identifying: true,
      cardinality: "ONE_TO_ZERO_ONE_OR_MORE",
    });
    expect(one.erd_relationship.fields_pairs).toMatchObject([
      { source_dataset_field_id: ref.id, target_dataset_field_catrn: `${at("customers")}/id` },
      { source_dataset_field_id: null, source_dataset_field_catrn: `${at("orders")}/ghost` },
    ]);
    expect([one.source_data_entity.catrn, one.target_data_entity.catrn])
      .toEqual([at("orders"), at("customers")]);
    const two = await client().read(`/api/relationships/graph/${knows}`);
    expect(two.erd_relationship).toBeNull();
    const attributes = Object.fromEntries(
      two.graph_relationship.attributes.map((a: { name: string; value: string }) => [
        a.name,
        a.value,
      ]),
    );
    expect(attributes).toMatchObject({ label: "KNOWS", weight: "1.5", since: '{"year": 2020}' });
    expect((await client().get(`/api/relationships/graph/${fk}`)).status).toBe(404);
    expect((await client().get(`/api/relationships/erd/${knows}`)).status).toBe(404);
  });

  it("lists a dataset's relationships at either end, once each", async () => {
    const of = async (name: string, type: string) => {
      const id = await client().id(at(name));
      const { items } = await client().read(`/api/datasets/${id}/relationships`, { type });
      return items.map((r: { name: string }) => r.name).sort();
    };
    expect(await of("customers", "ALL")).toEqual(["fk", "self"]);
    expect(await of("orders", "ALL")).toEqual(["fk", "knows"]);
    expect(await of("orders", "GRAPH")).toEqual(["knows"]);
    const details = await client().read(`/api/dataentities/${await client().id(at("fk"))}`);
    expect(details.entity_classes[0].name).toBe("DATA_RELATIONSHIP");
    expect((await client().lineage(await client().id(at("orders")), "downstream")).edges)
      .toEqual([]);
  });

  it("refuses a relationship whose two lists do not pair", async () => {
    const answer = await client().post("/ingestion/entities", {
      data_source_catrn: source,
      items: [erd("odd", "a", "b", { target_dataset_field_catrns_list: [] })],
    });
    expect([answer.status, answer.json.details[0].field]).toEqual([
      400,
      expect.stringContaining("items[0].data_relationship.details"),
    ]);
  });
});
