import type { Answer } from "../../../testing/server.ts";

const avro = {
  type: "record",
  name: "Order",
  namespace: "shop",
  doc: "An order",
  fields: [
    { name: "id", type: "long", doc: "Its number" },
    {
      name: "state",
      type: { type: "enum", name: "State", symbols: ["NEW", "PAID"] },
      default: "NEW",
    },
    { name: "placed", type: ["null", { type: "long", logicalType: "timestamp-millis" }] },
    {
      name: "lines",
      type: {
        type: "array",
        items: {
          type: "record",
          name: "Line",
          fields: [
            {
              name: "price",
              type: { type: "bytes", logicalType: "decimal", precision: 10, scale: 2 },
            },
            { name: "parent", type: ["null", "shop.Order"] },
          ],
        },
      },
    },
  ],
};

/** The schemas that a registry has of the topics of a shop. */
function schemasOf(prefix: string) {
  const schema = (subject: string, id: number, text: string, schemaType?: string) => ({
    subject: `${prefix}.${subject}`,
    version: 3,
    id,
    schema: text,
    ...(schemaType ? { schemaType } : {}),
  });
  return [
    schema("orders-value", 1, JSON.stringify(avro)),
    schema("orders-key", 2, '"string"'),
    schema(
      "visits-value",
      3,
      JSON.stringify({
        type: "object",
        required: ["at"],
        properties: { at: { type: "string", format: "date-time" }, page: { $ref: "#/$defs/page" } },
        $defs: { page: { type: ["object", "null"], properties: { url: { type: "string" } } } },
      }),
      "JSON",
    ),
    schema(
      "events-value",
      4,
      'syntax = "proto3"; package shop; message Event { string id = 1; repeated Tag tags = 2; message Tag { string name = 1; } }',
      "PROTOBUF",
    ),
  ];
}

/** What Kafka Connect 4 says of its connectors; one is broken. */
function connectorsOf(prefix: string): Record<string, unknown> {
  const connector = (type: string, config: Record<string, string>) => ({
    info: { type, config, tasks: [{}] },
  });
  const url = "jdbc:postgresql://db.example/shop?user=writer&password=s3cret-url";
  return {
    [`${prefix}-sink`]: connector("sink", {
      "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
      topics: `${prefix}.orders`,
      "connection.url": url,
      "connection.password": "s3cret-config",
      "table.name.format": "reports.orders",
    }),
    [`${prefix}-source`]: connector("source", {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "topic.prefix": prefix,
      "database.hostname": "db.example",
      "database.dbname": "shop",
      "database.password": "s3cret-config",
    }),
    broken: { info: 7 },
  };
}

/** What a registry of Confluent and Kafka Connect answer. */
export function recordedAnswers(prefix: string): { registry: Answer; connect: Answer } {
  const schemas = schemasOf(prefix);
  const connectors = connectorsOf(prefix);
  return {
    registry(request, path) {
      if (request.headers.authorization !== `Basic ${btoa("reader:s3cret-registry")}`) return 401;
      if (path === "/subjects") return schemas.map(({ subject }) => subject);
      const subject = decodeURIComponent(path.split("/")[2] ?? "");
      return schemas.find((one) => one.subject === subject) ?? 404;
    },
    connect(_, path) {
      if (path === "/connectors") return connectors;
      const name = decodeURIComponent(path.split("/")[2] ?? "");
      const topics = name.endsWith("-source") ? [`${prefix}.shop.customers`] : [];
      return { [name]: { topics } };
    },
  };
}
