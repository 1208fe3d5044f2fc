import { expect, it } from "vitest";
import { externalDatasets } from "./connectors.ts";

const jdbc = "io.aiven.connect.jdbc.JdbcSourceConnector";

it.each([
  [
    "a table of MySQL by Debezium",
    {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "topic.prefix": "p",
      "database.hostname": "m",
    },
    "p.shop.orders",
    false,
    [{ namespace: "mysql://m:3306", name: "shop.orders" }],
  ],
  [
    "a table that a source of JDBC lists with its schema",
    {
      "connector.class": jdbc,
      "connection.url": "jdbc:postgresql://h:5433/d?password=s3cret",
      "topic.prefix": "x-",
      "table.whitelist": "sales.orders",
    },
    "x-orders",
    false,
    [{ namespace: "postgres://h:5433", name: "d.sales.orders" }],
  ],
  [
    "the schema that PostgreSQL uses where none is given",
    { "connector.class": jdbc, "connection.url": "jdbc:postgresql://h/d", "topic.prefix": "" },
    "orders",
    false,
    [{ namespace: "postgres://h:5432", name: "d.public.orders" }],
  ],
  [
    "a bucket",
    { "connector.class": "io.confluent.connect.s3.S3SinkConnector", "s3.bucket.name": "b" },
    "orders",
    true,
    [{ namespace: "s3://b", name: "topics/orders" }],
  ],
  [
    "a file, under the short name of its class",
    { "connector.class": "FileStreamSource", file: "/srv/orders.txt" },
    "orders",
    false,
    [{ namespace: "file", name: "/srv/orders.txt" }],
  ],
  ["nothing of a class that is not known", { "connector.class": "com.example.Any" }, "t", true, []],
  [
    "nothing of a URL that is not readable",
    { "connector.class": jdbc, "connection.url": "jdbc:oracle:thin:@h:1521:x" },
    "t",
    false,
    [],
  ],
])("a connector names %s", (_, config, topic, isSink, expected) => {
  const given = new Map(Object.entries(config as Record<string, string>));
  expect(externalDatasets(given, [topic], isSink)).toEqual(expected);
});
