import { expect, it } from "vitest";
import { plainSession } from "../../testing/source.ts";
import { assetName } from "./items.ts";

const naming = { ...plainSession(), settings: { namespace: "shop" } };

it.each([
  ["s3://lake/raw/orders/dt=2030-01-01", "//s3/cloud/aws/buckets/lake/keys/raw\\\\orders"],
  ["gs://lake/raw", "//gcs/cloud/gcp/project/unknown/buckets/lake/keys/raw"],
  ["file:///srv/orders.csv", "//filesystem/host/localhost/path/\\\\srv\\\\orders.csv"],
  ["file://node1/srv/a", "//filesystem/host/node1/path/\\\\srv\\\\a"],
  ["postgres://h:5432/d/s/t", "//postgresql/host/h/databases/d/schemas/s/tables/t"],
  ["mysql://h/d/my%20table", "//mysql/host/h/databases/d/tables/my table"],
  ["bigquery://p/d/t", "//bigquery_storage/cloud/gcp/project/p/datasets/d/tables/t"],
  ["kafka://b:9092/orders", "//kafka/host/b:9092/clusters/b:9092/topics/orders"],
])("the asset %s is the dataset %s", (uri, catrn) => {
  expect(assetName(naming, uri)).toEqual({ catrn, isOwn: false });
});

it.each([
  ["report", "//openlineage/namespaces/shop/datasets/report"],
  ["postgres://h/d", "//openlineage/namespaces/shop/datasets/postgres:%2F%2Fh%2Fd"],
  ["x-own://me:s3cret@h/a", "//openlineage/namespaces/shop/datasets/x-own:%2F%2Fh%2Fa"],
])("the asset %s is one of Airflow: %s", (uri, catrn) => {
  expect(assetName(naming, uri)).toEqual({ catrn, isOwn: true });
});
