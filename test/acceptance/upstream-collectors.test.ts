import { expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { journey } from "#test/acceptance/client.ts";

/** As collectors of the upstream ecosystem spell it. */
const source = "//clickhouse/host/upstream";
const at = (name: string) => `${source}/${name}`;
const field = (table: string, name: string, more: object = {}) => ({
  oddrn: `${at(table)}/columns/${name}`,
  name,
  type: { type: "TYPE_STRING", logical_type: "String", is_nullable: true },
  ...more,
});
const items = [
  {
    oddrn: source,
    name: "upstream",
    type: "DATABASE_SERVICE",
    data_entity_group: { entities_list: [at("events"), at("view"), at("part")] },
  },
  {
    oddrn: at("part"),
    name: "part",
    type: "TABLE",
    metadata: [{ schema_url: "https://x", metadata: { oddrn: "kept", 'a\\"oddrn': 1 } }],
    dataset: {
      parent_oddrn: at("events"),
      field_list: [
        field("part", "struct", { type: { type: "TYPE_STRUCT", is_nullable: true } }),
        field("part", "inner", { parent_field_oddrn: `${at("part")}/columns/struct` }),
        field("part", "link", {
          type: { type: "TYPE_REFERENCE", is_nullable: true },
          reference_oddrn: `${at("part")}/columns/inner`,
        }),
      ],
    },
  },
  {
    oddrn: at("view"),
    name: "view",
    type: "VIEW",
    dataset: { field_list: [] },
    data_transformer: { inputs: [at("events")], outputs: [], source_code_url: null, sql: "x" },
  },
  {
    oddrn: at("sub"),
    name: "oddrn",
    type: "DAG",
    data_entity_group: { entities_list: [], group_oddrn: source },
  },
  {
    oddrn: at("test"),
    name: "test",
    type: "JOB",
    data_quality_test: {
      suite_name: "s",
      dataset_list: [at("part")],
      expectation: { type: "t", oddrn: "kept" },
    },
  },
  {
    oddrn: at("test/run"),
    name: "run",
    type: "JOB_RUN",
    data_quality_test_run: {
      data_quality_test_oddrn: at("test"),
      start_time: "2024-01-01T00:00:00+00:00",
      status: "SUCCESS",
    },
  },
  {
    oddrn: at("relation"),
    name: "relation",
    type: "ENTITY_RELATIONSHIP",
    data_relationship: {
      relationship_type: "ERD",
      source_dataset_oddrn: at("part"),
      target_dataset_oddrn: at("view"),
      details: {
        relationship_entity_name: "ERDRelationship",
        source_dataset_field_oddrns_list: [`${at("part")}/columns/inner`],
        target_dataset_field_oddrns_list: [`${at("view")}/x`],
      },
    },
  },
];

journey("collectors of the upstream ecosystem", (client) => {
  it("come with their own spelling, from registration to members", async () => {
    const registered = await client().post("/ingestion/datasources", {
      items: [{ oddrn: source, name: "Upstream" }],
    });
    expect(registered.status).toBe(200);
    const posted = await client().post("/ingestion/entities", { data_source_oddrn: source, items });
    expect([posted.status, posted.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    for (const name of ["oddrn", "catrn"]) {
      const members = await client().read("/ingestion/entities/degs/children", { [name]: source });
      expect(members.items.map((i: { oddrn: string }) => i.oddrn).sort())
        .toEqual([at("part"), at("sub"), at("view")].sort());
    }
    const { items: found } = await client().read("/api/dataentities", {
      oddrn: at("part"),
      page: 1,
      size: 2,
    });
    expect(found).toHaveLength(1);
    const stats = await client().post("/ingestion/entities/datasets/stats", {
      items: [{
        dataset_oddrn: at("part"),
        fields: {
          [`${at("part")}/columns/inner`]: { complex_stats: { nulls_count: 1, unique_count: 2 } },
        },
      }],
    });
    expect(stats.status).toBe(201);
    const metrics = await client().post("/ingestion/metrics", {
      items: [{ oddrn: at("part"), metric_families: [] }],
    });
    expect(metrics.status).toBe(201);
  });

  it("leave the word alone where it is a value or a name of their own", async () => {
    const details = await client().read(`/api/dataentities/${await client().id(at("part"))}`);
    const names = details.metadata_field_values.map((v: { field: { name: string } }) =>
      v.field.name
    );
    expect(names.sort()).toEqual(['a\\"oddrn', "oddrn"]);
    const test = await client().read(`/api/dataentities/${await client().id(at("test"))}`);
    expect(test.expectation).toMatchObject({ oddrn: "kept" });
    expect(test.latest_run.catrn).toBe(at("test/run"));
    const structure = await client().read(
      `/api/datasets/${await client().id(at("part"))}/structure`,
    );
    expect(structure.field_list.filter((f: { parent_field_id: unknown }) => f.parent_field_id))
      .toHaveLength(1);
    const relations = await client().read("/api/relationships", { page: 1, size: 5, type: "ERD" });
    expect(relations.items.map((r: { name: string }) => r.name)).toEqual(["relation"]);
  });

  it("may register through the platform in that spelling", async () => {
    const made = await client().post("/api/datasources", { name: "By hand", oddrn: "//hand/made" });
    expect([made.status, made.json.catrn]).toEqual([200, "//hand/made"]);
  });

  it("may write the same body straight to the log", async () => {
    const events = client().instance.events;
    const body = JSON.stringify({
      data_source_oddrn: source,
      items: [{ oddrn: at("direct"), name: "direct", type: "FILE", dataset: { field_list: [] } }],
    });
    await events.publish(ingestionBatches, [{
      key: source,
      value: new TextEncoder().encode(body),
      headers: {},
    }], { timeoutMs: 5_000 });
    await expect.poll(() => client().find(at("direct"))).toBeDefined();
  });
});
