import { eventually } from "#test/support/eventually.ts";

/** Says a table with nested fields in two versions, and one with very many columns. Returns their ids by name. */
export async function ingestStructures(base: string): Promise<Map<string, number>> {
  const source = "//browser/host/structures";
  await post(base, "/ingestion/datasources", {
    provider_catrn: source,
    items: [{ catrn: source, name: "Structures" }],
  });
  const table = (name: string, fields: object[]) =>
    post(base, "/ingestion/entities", {
      data_source_catrn: source,
      items: [{
        catrn: `${source}/${name}`,
        name,
        type: "TABLE",
        dataset: { rows_number: 1_000, field_list: fields },
      }],
    });
  await table("nested_orders", [...orders, field("dropped", "TYPE_STRING")]);
  await until(base, "nested_orders", 1);
  await table("nested_orders", [...orders, field("added", "TYPE_STRING")]);
  await table(
    "wide",
    Array.from({ length: 12_000 }, (_, n) => field(`column_${n}`, "TYPE_STRING")),
  );
  await post(base, "/ingestion/entities", {
    data_source_catrn: source,
    items: [loader(source)],
  });
  const [nested, wide] = [
    await until(base, "nested_orders", 2),
    await until(base, "wide", 1),
  ];
  const load = await until(base, "load_wide", 0);
  return new Map([["nested_orders", nested], ["wide", wide], ["load_wide", load]]);
}

/** A job that makes columns of the wide table. */
function loader(source: string): object {
  const from = (field: string, more: object) => ({
    dataset_catrn: `${source}/nested_orders`,
    field,
    ...more,
  });
  const column_lineage = [
    {
      target: { dataset_catrn: `${source}/wide`, field: "COLUMN_7" },
      sources: [
        from("address.geo.lat", { type: "DIRECT", subtype: "AGGREGATION" }),
        from("gone", { type: "INDIRECT" }),
      ],
    },
    {
      target: { dataset_catrn: `${source}/wide` },
      sources: [from("status", { type: "INDIRECT", subtype: "FILTER" })],
    },
  ];
  return {
    catrn: `${source}/load_wide`,
    name: "load_wide",
    type: "JOB",
    data_transformer: {
      inputs: [`${source}/nested_orders`],
      outputs: [`${source}/wide`],
      column_lineage,
    },
  };
}

const field = (path: string, type: string, more: object = {}) => ({
  catrn: `//browser/f/${path}`,
  name: path.split("/").at(-1)!,
  type: { type, is_nullable: true },
  ...more,
});
const under = (parent: string) => ({ parent_field_catrn: `//browser/f/${parent}` });
const orders = [
  field("id", "TYPE_INTEGER", {
    is_primary_key: true,
    stats: { integer_stats: { low_value: 1, high_value: 900, nulls_count: 0, unique_count: 900 } },
  }),
  field("status", "TYPE_STRING", { enum_values: [{ name: "new" }] }),
  field("address", "TYPE_STRUCT"),
  field("address/geo", "TYPE_STRUCT", under("address")),
  field("address/geo/lat", "TYPE_NUMBER", under("address/geo")),
  field("<img src=x onerror=alert(1)>\u202Egnp", "TYPE_STRING", {
    description: "<script>alert(1)</script> [x](javascript:alert(1))",
  }),
];

async function post(base: string, path: string, body: object): Promise<void> {
  const response = await fetch(new URL(path, base), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.body?.cancel();
}

/** The id of a dataset once it has so many versions. */
async function until(base: string, name: string, versions: number): Promise<number> {
  return await eventually(async () => {
    const found = await get(base, `/api/search/suggestions?query=${name}`) as { id: number }[];
    const id = found[0]?.id;
    if (id === undefined) throw new Error(`${name} is not found yet`);
    const list = await get(base, `/api/datasets/${id}/versions?page=1&size=10`) as {
      page_info: { total: number };
    };
    if (!(list.page_info?.total >= versions)) throw new Error(`${name} lacks a version`);
    return id;
  });
}

async function get(base: string, path: string): Promise<unknown> {
  const response = await fetch(new URL(path, base));
  return await response.json();
}
