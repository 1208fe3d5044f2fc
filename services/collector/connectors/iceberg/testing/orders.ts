const field = (id: number, name: string, type: unknown, more: object = {}) => (
  { id, name, type, required: false, ...more }
);
const struct = (...fields: object[]) => ({ type: "struct", fields });
const schema = (id: number, ...fields: object[]) => (
  { ...struct(...fields), "schema-id": id, "identifier-field-ids": [1] }
);

const id = field(1, "id", "long", { required: true, doc: "Its number" });
const price = field(6, "price", "decimal(10, 2)", { required: true });
const lines = field(4, "lines", {
  type: "list",
  "element-id": 5,
  "element-required": true,
  element: struct(price, field(7, "product", "string")),
});
const marks = field(8, "marks", {
  type: "map",
  "key-id": 9,
  key: "string",
  "value-id": 10,
  "value-required": false,
  value: struct(field(11, "at", "timestamptz")),
});

const snapshot = (number: number, ms: number, rows: string, bytes: string) => ({
  "snapshot-id": number,
  "timestamp-ms": ms,
  "schema-id": 2,
  "manifest-list": "s3://lake/metadata/snap.avro",
  summary: {
    operation: "append",
    "total-records": rows,
    "total-files-size": bytes,
    "total-data-files": "3",
  },
});

/** What a catalog answers for a table with a history, and with credentials of its files. */
export const orders = {
  "metadata-location": "s3://lake/warehouse/sales/orders/metadata/00003.metadata.json",
  metadata: {
    "format-version": 2,
    "table-uuid": "5f8b1c9e-7a30-4f6e-9c3f-0d5a61b2c7d4",
    location: "s3://lake/warehouse/sales/orders",
    "last-updated-ms": 1_893_456_000_000,
    "last-column-id": 13,
    "current-schema-id": 2,
    schemas: [
      schema(0, id, field(2, "qty", "int"), field(3, "placed", "date")),
      schema(
        1,
        id,
        field(2, "quantity", "long"),
        field(3, "placed", "date"),
        field(12, "old", "string"),
      ),
      schema(
        2,
        id,
        field(2, "quantity", "long"),
        field(3, "placed", "date"),
        lines,
        marks,
        field(13, "raw", "fixed[16]"),
      ),
    ],
    "default-spec-id": 1,
    "partition-specs": [
      { "spec-id": 0, fields: [] },
      {
        "spec-id": 1,
        fields: [
          { "field-id": 1000, "source-id": 3, name: "placed_day", transform: "day" },
          { "field-id": 1001, "source-id": 1, name: "id_bucket", transform: "bucket[16]" },
        ],
      },
    ],
    "current-snapshot-id": 2,
    snapshots: [
      snapshot(1, 1_893_369_600_000, "10", "1000"),
      snapshot(2, 1_893_456_000_000, "1200", "65536"),
    ],
    properties: { owner: "ana", comment: "Orders of the shop" },
  },
  config: { "s3.secret-access-key": "s3cret-of-the-files" },
};
