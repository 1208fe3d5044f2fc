import type { Row } from "./row.ts";

const file = { kind: "FILE" as const, malformed: [] };

export const fileRows: Row[] = [
  {
    kind: "KAFKA_TOPIC",
    rule: "kafka",
    canonical: ["kafka://b1.example:9092", "orders.placed"],
    catrn: "//kafka/host/b1.example:9092/clusters/b1.example:9092/topics/orders.placed",
    variants: [
      ["kafka://B1.example", "orders.placed"],
      ["kafka://b1.example:9092,b2.example:9092", "orders.placed"],
      ["kafka://me:pw@b1.example:9092", "orders.placed"],
    ],
    malformed: [""],
  },
  {
    ...file,
    rule: "s3",
    canonical: ["s3://lake", "raw/orders"],
    catrn: "//s3/cloud/aws/buckets/lake/keys/raw\\\\orders",
    variants: [
      ["s3a://lake", "/raw/orders/"],
      ["s3n://lake/", "raw/orders/day=2026-01-31"],
    ],
  },
  {
    ...file,
    rule: "s3",
    canonical: ["s3://lake", "/"],
    catrn: "//s3/cloud/aws/buckets/lake",
    variants: [["s3://lake", ""], ["s3://lake", "day=1"]],
  },
  {
    ...file,
    rule: "gcs",
    canonical: ["gs://lake", "raw/orders"],
    catrn: "//gcs/cloud/gcp/project/unknown/buckets/lake/keys/raw\\\\orders",
    variants: [["gs://lake", "/raw/orders"]],
  },
  {
    ...file,
    rule: "blob_storage",
    canonical: ["abfss://raw@acme.dfs.core.windows.net", "orders/x"],
    catrn: "//blob_storage/cloud/azure/account/acme/container/raw/keys/orders\\\\x",
    variants: [
      ["wasbs://raw@acme.blob.core.windows.net", "/orders/x"],
      ["abfss://raw@ACME.dfs.core.windows.net/", "orders/x/"],
    ],
  },
  {
    ...file,
    rule: "hdfs",
    canonical: ["hdfs://nn.example:8020", "/data/orders"],
    catrn: "//hdfs/host/nn.example/paths/\\\\data\\\\orders",
    variants: [["hdfs://nn.example", "data/orders"], [
      "hdfs://NN.example:8020",
      "/data/orders/day=1",
    ]],
  },
  {
    ...file,
    rule: "filesystem",
    canonical: ["file", "/data/orders.csv"],
    catrn: "//filesystem/host/localhost/path/\\\\data\\\\orders.csv",
    variants: [["file://", "/data/orders.csv"], ["FILE:", "data/orders.csv"], [
      "file://localhost",
      "/data/orders.csv",
    ]],
  },
  {
    ...file,
    rule: "filesystem",
    canonical: ["file://box.example", "/data/orders.csv"],
    catrn: "//filesystem/host/box.example/path/\\\\data\\\\orders.csv",
    variants: [],
  },
];
