/** Items of a collector that make up a small shop: tables, a view, a job, a dashboard, services, a topic. */

const database = "//postgresql/host/db.example/databases/shop";
const schema = `${database}/schemas/public`;

/** CATRNs of what the shop holds. */
export const shop = {
  source: database,
  orders: `${schema}/tables/orders`,
  totals: `${schema}/tables/totals`,
  view: `${schema}/tables/recent`,
  topic: "//kafka/host/broker:9092/clusters/broker:9092/topics/orders",
  bucket: "//s3/cloud/aws/buckets/lake/keys/raw\\\\orders",
  load: "//airflow/host/air/dags/shop/tasks/load",
  dashboard: "//tableau/host/tab/dashboards/sales",
  input: "//http/host/partner/calls/prices",
  front: "//services/front",
  back: "//services/back",
};

const field = (of: string, name: string, type: string, more: Record<string, unknown> = {}) => ({
  catrn: `${of}/columns/${name}`,
  name: name.split("/").at(-1)!,
  type: { type, is_nullable: true },
  ...more,
});

const table = (catrn: string, fields: unknown[], more: Record<string, unknown> = {}) => ({
  catrn,
  name: catrn.split("/").at(-1)!,
  type: "TABLE",
  dataset: { field_list: fields },
  ...more,
});

const { orders, totals, topic, bucket, load } = shop;

/** A job with lineage between columns. */
const loadJob = () => ({
  catrn: load,
  name: "load",
  type: "JOB",
  description: "Adds up",
  owners: [{ name: "team:loads", title: "MAINTAINER" }],
  data_transformer: {
    inputs: [orders, topic],
    outputs: [totals, bucket],
    sql: "INSERT INTO totals SELECT sum(price) FROM orders",
    source_code_url: "https://git.example/shop/load.py",
    column_lineage: [
      {
        target: { dataset_catrn: totals, field: "total" },
        sources: [{ dataset_catrn: orders, field: "price", subtype: "AGGREGATION" }, {
          dataset_catrn: orders,
          field: "id",
          type: "INDIRECT",
          description: "filtered by it",
          masking: true,
        }],
      },
      {
        target: { dataset_catrn: totals },
        sources: [{ dataset_catrn: orders, field: "address.city", type: "INDIRECT" }],
      },
      {
        target: { dataset_catrn: bucket, field: "line" },
        sources: [{ dataset_catrn: topic, subtype: "IDENTITY" }, {
          dataset_catrn: orders,
          field: "id",
        }],
      },
    ],
  },
});

/** What the collector of the shop posts. */
export function shopBatch() {
  const { view, dashboard, input, front, back } = shop;
  const address = `${orders}/columns/address`;
  const items = [
    table(orders, [
      field(orders, "id", "TYPE_INTEGER", {
        type: { type: "TYPE_INTEGER", logical_type: "bigint", is_nullable: false },
        description: "Number of the order",
      }),
      field(orders, "address", "TYPE_STRUCT"),
      field(orders, "address/city", "TYPE_STRING", { parent_field_catrn: address }),
      field(orders, "price", "TYPE_NUMBER"),
      field(orders, "took", "TYPE_DURATION"),
    ], {
      description: "Each order",
      owners: [{ name: "team:orders", title: "Data steward" }, { name: "Ann" }],
    }),
    table(totals, [field(totals, "total", "TYPE_NUMBER")]),
    table(view, [field(view, "city", "TYPE_STRING")], {
      type: "VIEW",
      description: "Orders of this week",
      data_transformer: { inputs: [orders], outputs: [], sql: "SELECT address FROM orders" },
    }),
    table(topic, [], { type: "KAFKA_TOPIC" }),
    table(bucket, [], { type: "FILE" }),
    loadJob(),
    { catrn: dashboard, name: "sales", type: "DASHBOARD", data_consumer: { inputs: [totals] } },
    { catrn: input, name: "prices", type: "API_CALL", data_input: { outputs: [orders] } },
    {
      catrn: back,
      name: "back",
      type: "MICROSERVICE",
      data_transformer: { inputs: [], outputs: [orders] },
    },
    {
      catrn: front,
      name: "front",
      type: "MICROSERVICE",
      data_transformer: { inputs: [], outputs: [back] },
    },
  ];
  return { data_source_catrn: database, items };
}

/** Events of producers next to it: a job that reads what the collector tells of, with a name of no rule. */
export function shopEvents() {
  const at = "2026-03-01T10:00:00Z";
  const job = {
    namespace: "airflow/prod",
    name: "shop.report",
    facets: { documentation: { description: "Reports" } },
  };
  const output = {
    namespace: "reports",
    name: "weekly sales/2",
    facets: {
      schema: { fields: [{ name: "sum", type: "decimal(10,2)", description: "Of all" }] },
      columnLineage: {
        fields: {
          sum: {
            inputFields: [{
              namespace: "postgres://db.example:5432",
              name: "shop.public.totals",
              field: "total",
            }],
          },
        },
      },
    },
  };
  return [
    {
      eventTime: at,
      eventType: "COMPLETE",
      run: { runId: "0197a3c0-0000-7000-8000-000000000009" },
      job,
      inputs: [{ namespace: "postgres://db.example:5432", name: "shop.public.totals" }],
      outputs: [output],
    },
    {
      eventTime: at,
      dataset: {
        namespace: "reports",
        name: "weekly sales/2",
        facets: { documentation: { description: "For the board" } },
      },
    },
  ];
}
