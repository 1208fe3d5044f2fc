import { expect, it } from "vitest";
import { plainSession } from "../../testing/source.ts";
import { locationCatrn } from "./items.ts";

it.each([
  ["s3://b/a/t", "//s3/cloud/aws/buckets/b/keys/a\\\\t"],
  ["gs://b/t", "//gcs/cloud/gcp/project/unknown/buckets/b/keys/t"],
  ["hdfs://n:8020/w/t", "//hdfs/host/n/paths/\\\\w\\\\t"],
  ["file:///w/t", "//filesystem/host/localhost/path/\\\\w\\\\t"],
  ["s3://b", null],
  ["memory:/w/t", null],
  ["w/t", null],
  ["", null],
])("the location %s names the table %s", (location, catrn) => {
  expect(locationCatrn(location, plainSession().naming)).toBe(catrn);
});
