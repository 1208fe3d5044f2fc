import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//postgresql/host/structure";
const users = `${source}/tables/users`;
const column = (name: string, type: string, more: object = {}) => ({
  catrn: `${users}/columns/${name}`,
  name,
  type: { type, logical_type: type.toLowerCase(), is_nullable: true },
  ...more,
});
const table = (fields: object[], more: object = {}) => ({
  catrn: users,
  name: "users",
  type: "TABLE",
  dataset: { rows_number: 7, field_list: fields },
  ...more,
});
const first = [
  column("id", "TYPE_INTEGER", { is_primary_key: true, is_key: true }),
  column("state", "TYPE_STRING", {
    enum_values: [{ name: "new", description: "just made" }, { name: "old", description: null }],
    tags: [{ name: "status" }],
    description: "where it stands",
    default_value: "new",
    is_sort_key: true,
    metadata: [{ schema_url: "https://x", metadata: { nested: { deep: [1] }, size: 3 } }],
  }),
  column("address", "TYPE_STRUCT"),
  column("street", "TYPE_STRING", { parent_field_catrn: `${users}/columns/address` }),
  column("ref", "TYPE_REFERENCE", { reference_catrn: `${users}/columns/id` }),
];

interface Field {
  id: number;
  catrn: string;
  name: string;
  [key: string]: unknown;
}

journey("structure of datasets", (client) => {
  const structure = async (version?: number) => {
    const path = `/api/datasets/${await client().id(users)}/structure`;
    return await client().read(version ? `${path}/${version}` : path);
  };
  const byName = (list: Field[]) => Object.fromEntries(list.map((f) => [f.name, f]));
  const versions = async () =>
    (await client().read(`/api/dataentities/${await client().id(users)}`)).version_list;

  it("shows every part of a field", async () => {
    await client().register(source);
    await client().ingest(source, table(first));
    const { field_list, data_set_version } = await structure();
    expect(data_set_version.version).toBe(1);
    const fields = byName(field_list);
    expect(fields.id).toMatchObject({ is_primary_key: true, is_key: true, is_sort_key: null });
    expect(fields.state).toMatchObject({
      external_description: "where it stands",
      default_value: "new",
      is_sort_key: true,
      enum_value_count: 2,
      type: { type: "TYPE_STRING", logical_type: "type_string", is_nullable: true },
    });
    expect((fields.state!.tags as Field[]).map((t) => t.name)).toEqual(["status"]);
    expect(
      (fields.state!.metadata as { field: Field; value: string }[])
        .map((m) => [m.field.name, m.field.type, m.value]).sort(),
    )
      .toEqual([["nested", "JSON", '{"deep":[1]}'], ["size", "INTEGER", "3"]]);
    expect(fields.street!.parent_field_id).toBe(fields.address!.id);
    expect(fields.ref!.reference_field_id).toBe(fields.id!.id);
  });

  it("keeps the version when only what is not hashed changes", async () => {
    const before = await structure();
    const changed = first.map((f, i) =>
      i === 1 ? { ...f, description: "moved", tags: [], enum_values: [{ name: "gone" }] } : f
    );
    await client().ingest(source, table(changed));
    const after = await structure();
    expect(after.data_set_version).toEqual(before.data_set_version);
    const state = byName(after.field_list).state!;
    expect([state.external_description, state.tags, state.enum_value_count])
      .toEqual(["moved", [], 1]);
    expect(state.id).toBe(byName(before.field_list).state!.id);
  });

  it("numbers versions and tells their difference", async () => {
    const { data_set_version: one } = await structure();
    await client().ingest(
      source,
      table([
        first[0]!,
        column("state", "TYPE_INTEGER"),
        first[2]!,
        column("street", "TYPE_STRING"),
        column("extra", "TYPE_BOOLEAN"),
      ]),
    );
    const list = await versions();
    expect(list.map((v: { version: number }) => v.version)).toEqual([2, 1]);
    const path = `/api/datasets/${await client().id(users)}/structure/diff`;
    const diff = await client().read(path, {
      first_version_id: one.id,
      second_version_id: list[0].id,
    });
    const changes = diff.field_list.map((d: { status: string; states: Record<string, Field> }) =>
      `${Object.values(d.states)[0]!.name} ${d.status} ${Object.keys(d.states).length}`
    );
    expect(changes.sort()).toEqual([
      "address NO_CHANGES 2",
      "extra CREATED 1",
      "id NO_CHANGES 2",
      "ref DELETED 1",
      "state UPDATED 2",
      "street CREATED 1",
      "street DELETED 1",
    ]);
    expect((await structure(one.id)).field_list).toHaveLength(5);
    const same = await client().get(path, { first_version_id: one.id, second_version_id: one.id });
    expect([same.status, same.json.code]).toEqual([400, "USR001"]);
    const unknown = await client().get(path, {
      first_version_id: one.id,
      second_version_id: 99999,
    });
    expect(unknown.status).toBe(404);
  });

  it("makes no version of an older structure that comes back as the same", async () => {
    await client().ingest(source, table(first));
    await client().ingest(source, table(first));
    expect((await versions()).map((v: { version: number }) => v.version)).toEqual([3, 2, 1]);
  });

  it("takes statistics into the latest fields, with exact digits", async () => {
    const id = `${users}/columns/id`;
    const body =
      `{"items":[{"dataset_catrn":${JSON.stringify(users)},"fields":{${
        JSON.stringify(id)
      }:{"integer_stats":{"low_value":-9223372036854775808,"high_value":9223372036854775807,` +
      `"mean_value":null,"nulls_count":0,"unique_count":9007199254740993},"tags":[{"name":"pk"}]}}}]}`;
    const answer = await client().post("/ingestion/entities/datasets/stats", body);
    expect([answer.status, answer.text]).toEqual([201, ""]);
    const path = `/api/datasets/${await client().id(users)}/structure`;
    const { text, json } = await client().get(path);
    expect(text).toMatch(/"low_value"\s*:\s*-9223372036854775808\b/);
    expect(text).toMatch(/"high_value"\s*:\s*9223372036854775807\b/);
    expect(text).toMatch(/"unique_count"\s*:\s*9007199254740993\b/);
    expect(json.data_set_version.version).toBe(3);
    const tags = byName(json.field_list).id!.tags as Field[];
    expect(tags.map((t) => t.name)).toEqual(["pk"]);
  });

  it("keeps each kind of statistics", async () => {
    const counts = { nulls_count: 1, unique_count: 2 };
    const lengths = { max_length: 2 ** 60, avg_length: 4.5, ...counts };
    const range = { low_value: 0.5, high_value: 1e21, ...counts };
    const times = { low_value: "2024-01-01T00:00:00Z", high_value: "2024-01-02T00:00:00+02:00" };
    const kinds: Record<string, object> = {
      boolean_stats: { true_count: 1, false_count: 2, nulls_count: 3 },
      number_stats: range,
      integer_stats: { low_value: 1, high_value: 4, mean_value: 2.5, median_value: 2, ...counts },
      string_stats: lengths,
      binary_stats: lengths,
      datetime_stats: { ...times, ...counts },
      complex_stats: counts,
    };
    const catrn = `${source}/tables/kinds`;
    const field_list = Object.entries(kinds).map(([name, stats]) => ({
      ...column(name, "TYPE_UNKNOWN", { stats: { [name]: stats } }),
      catrn: `${catrn}/${name}`,
    }));
    await client().ingest(source, { catrn, name: "kinds", type: "FILE", dataset: { field_list } });
    const id = await client().id(catrn);
    const answer = await client().read(`/api/datasets/${id}/structure`);
    for (const field of answer.field_list) {
      const expected = field.name === "datetime_stats"
        ? { low_value: "2024-01-01T00:00:00.000Z", high_value: "2024-01-01T22:00:00.000Z" }
        : kinds[field.name];
      expect([field.name, field.stats[field.name]]).toMatchObject([field.name, expected!]);
    }
  });

  it("refuses statistics of what it does not know, naming it", async () => {
    const stats = { complex_stats: { nulls_count: 0, unique_count: 0 } };
    const post = (dataset_catrn: string, field: string, stat: object = stats) =>
      client().post("/ingestion/entities/datasets/stats", {
        items: [{ dataset_catrn, fields: { [field]: stat } }],
      });
    const dataset = await post("//nothing", "f");
    expect([dataset.status, dataset.json.details[0].field]).toEqual([
      404,
      "items[0].dataset_catrn",
    ]);
    const field = await post(users, "//no field");
    expect([field.status, field.json.details[0].field])
      .toEqual([404, 'items[0].fields["//no field"]']);
    const wrong = await post(users, "f", { string_stats: { max_length: "long" } });
    expect([wrong.status, wrong.json.details[0].field])
      .toEqual([400, "items[0].fields.f.string_stats.max_length"]);
  });

  it("knows each field type", async () => {
    const types = [
      ..."STRING NUMBER INTEGER BOOLEAN CHAR DATETIME TIME STRUCT BINARY LIST MAP UNION".split(" "),
      ..."DURATION VECTOR UNKNOWN".split(" "),
    ];
    const catrn = `${source}/tables/types`;
    const field_list = types.map((type) => ({
      ...column(type, `TYPE_${type}`),
      catrn: `${catrn}/${type}`,
    }));
    await client().ingest(source, {
      catrn,
      name: "types",
      type: "VECTOR_STORE",
      dataset: { field_list },
    });
    const answer = await client().read(`/api/datasets/${await client().id(catrn)}/structure`);
    expect(answer.field_list.map((f: { type: { type: string } }) => f.type.type).sort())
      .toEqual(types.map((t) => `TYPE_${t}`).sort());
  });
});
