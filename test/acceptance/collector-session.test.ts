import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//postgresql/host/db één.example/databases/Größe \\ lager";
const column = (table: string, name: string, more: object = {}) => ({
  catrn: `${table}/columns/${name}`,
  name,
  description: null,
  owner: null,
  metadata: null,
  tags: null,
  parent_field_catrn: null,
  reference_catrn: null,
  is_key: null,
  is_primary_key: name === "id",
  default_value: null,
  stats: null,
  enum_values: null,
  type: { type: "TYPE_INTEGER", logical_type: null, is_nullable: false },
  ...more,
});
const tableName = (n: number) => `${source}/schemas//tables/таблица ${n}`;
const table = (n: number) => ({
  catrn: tableName(n),
  name: "orders",
  type: "TABLE",
  version: null,
  created_at: null,
  updated_at: "2024-05-01T12:00:00.123456+02:00",
  dataset: {
    parent_catrn: null,
    rows_number: n,
    field_list: [column(tableName(n), "id"), column(tableName(n), "straße")],
  },
  data_transformer: null,
  data_consumer: null,
});
const viewName = `${source}/views/all "quoted" & <odd>`;
const view = {
  catrn: viewName,
  name: "all",
  type: "VIEW",
  dataset: { field_list: [column(viewName, "id")] },
  data_transformer: {
    inputs: [tableName(0), tableName(499)],
    outputs: [],
    sql: "select 1",
    source_code_url: null,
  },
};
const database = {
  catrn: source,
  name: "lager",
  type: "DATABASE_SERVICE",
  data_entity_group: {
    entities_list: [...Array.from({ length: 500 }, (_, n) => tableName(n)), viewName],
    group_catrn: null,
  },
};
const emptyGroup = {
  catrn: `${source}/empty`,
  name: "empty",
  type: "DAG",
  data_entity_group: { entities_list: [] },
};
const runs = Array.from({ length: 20 }, (_, n) => ({
  catrn: `${source}/jobs/load/runs/${n}`,
  name: "load",
  type: "JOB_RUN",
  data_transformer_run: {
    transformer_catrn: `${source}/jobs/load`,
    start_time: `2024-05-01T12:00:${String(n).padStart(2, "0")}Z`,
    end_time: n === 19 ? null : `2024-05-01T12:01:${String(n).padStart(2, "0")}Z`,
    status_reason: null,
    status: n === 19 ? "RUNNING" : "SUCCESS",
  },
}));
const job = {
  catrn: `${source}/jobs/load`,
  name: "load",
  type: "JOB",
  data_transformer: { inputs: [viewName], outputs: ["//elsewhere/never sent"] },
};

journey("a collector's session", (client) => {
  it("registers the same source again and again", async () => {
    await client().register(source, "lager");
    await client().register(source, "lager");
    const { items } = await client().read("/api/datasources", {
      page: 1,
      size: 10,
      query: "lager",
    });
    expect(items.map((s: { catrn: string }) => s.catrn)).toEqual([source]);
  });

  it("posts chunks of 250 at once, the group before its members, the runs before their job", async () => {
    const all = [database, emptyGroup, view, ...runs, job];
    const tables = Array.from({ length: 500 }, (_, n) => table(499 - n));
    const chunks = [all, tables.slice(0, 250), tables.slice(250)];
    const answers = await Promise.all(
      [...chunks, ...chunks].map((items) =>
        client().post("/ingestion/entities", { data_source_catrn: source, items })
      ),
    );
    expect(answers.map((a) => [a.status, a.headers.get("x-ingestion-state")]))
      .toEqual(answers.map(() => [200, "applied"]));
    const list = await client().read("/api/dataentities", { page: 6, size: 100 });
    // 500 tables, the view, the job, the database and the empty group.
    expect([list.page_info, list.items.length]).toEqual([{ total: 504, hasNext: false }, 4]);
  });

  it("keeps strange CATRNs byte for byte", async () => {
    for (const catrn of [tableName(7), viewName, source]) {
      const id = await client().id(catrn);
      const details = await client().read(`/api/dataentities/${id}`);
      expect(details.catrn).toBe(catrn);
    }
    const structure = await client().read(
      `/api/datasets/${await client().id(tableName(7))}/structure`,
    );
    expect(structure.field_list.map((f: { catrn: string }) => f.catrn))
      .toEqual([`${tableName(7)}/columns/id`, `${tableName(7)}/columns/straße`]);
  });

  it("tells the members of the group that is named like its source, in both forms", async () => {
    const direct = await client().read(
      `/ingestion/entities/${encodeURIComponent(source)}/children`,
    );
    expect(direct.items).toHaveLength(501);
    const byQuery = await client().read("/ingestion/entities/degs/children", { oddrn: source });
    const aliased = direct.items.map((item: { catrn: string }) => ({ ...item, oddrn: item.catrn }));
    expect(byQuery).toEqual({ items: aliased });
    const none = await client().read("/ingestion/entities/degs/children", {
      catrn: emptyGroup.catrn,
    });
    expect(none).toEqual({ items: [] });
    const id = await client().id(source);
    const items = await client().read(`/api/dataentitygroups/${id}/items`, { page: 1, size: 5 });
    expect([items.entities_count, items.upper_groups_count]).toEqual([501, 0]);
    const details = await client().read(`/api/dataentities/${await client().id(emptyGroup.catrn)}`);
    expect([details.items_count, details.entities, details.has_children]).toEqual([0, [], false]);
  });

  it("makes the view a dataset and a transformer, in lineage too", async () => {
    const id = await client().id(viewName);
    const details = await client().read(`/api/dataentities/${id}`);
    expect(details.entity_classes.map((c: { name: string }) => c.name).sort())
      .toEqual(["DATA_SET", "DATA_TRANSFORMER"]);
    expect(details.source_list.map((s: { catrn: string }) => s.catrn).sort())
      .toEqual([tableName(0), tableName(499)].sort());
    const { nodes } = await client().lineage(id, "upstream");
    expect(nodes.map((n) => n.catrn).sort()).toEqual(
      [viewName, tableName(0), tableName(499)].sort(),
    );
  });

  it("keeps each run once, however often it is posted", async () => {
    await client().ingest(source, ...runs);
    await client().ingest(source, job, ...runs);
    const id = await client().id(job.catrn);
    const list = await client().read(`/api/dataentities/${id}/runs`, { page: 1, size: 30 });
    expect(list.page_info).toEqual({ total: 20, hasNext: false });
    const running = await client().read(`/api/dataentities/${id}/runs`, {
      page: 1,
      size: 30,
      status: "RUNNING",
    });
    expect(running.items.map((r: { catrn: string }) => r.catrn)).toEqual([runs[19]!.catrn]);
    expect(await client().find(runs[0]!.catrn)).toBeUndefined();
  });

  it("answers an unchanged chunk without a new lineage position", async () => {
    const first = await client().ingest(source, view, table(3));
    const repeated = await client().ingest(source, view, table(3));
    expect(repeated.headers.get("x-lineage-position")).toBe(
      first.headers.get("x-lineage-position"),
    );
  });
});
