import { z } from "@hono/zod-openapi";
import { givenName } from "#contract/text.ts";
import {
  authoritySetting,
  patternSettings,
  secretSetting,
  SourceHost,
  SourceUrl,
} from "./common.ts";

/** Most folders or prefixes of one connection. */
const maxPaths = 50;

const Path = givenName({ min: 1, max: 1_000 }).refine(
  (text) => !text.split("/").includes(".."),
  { error: "must have no steps upwards" },
);

/** Settings of a connection to files: folders of the collector's machine, or prefixes of a bucket. */
export const FilesSettings = z.strictObject({
  bucket: givenName({ min: 1, max: 100 }).refine((text) => /^[A-Za-z0-9._-]+$/.test(text), {
    error: "must be the name of a bucket",
  }).optional().meta({
    title: "Bucket",
    description: "Bucket of S3 or a store that speaks its protocol; empty: folders",
  }),
  endpoint: SourceUrl.optional().meta({
    title: "Endpoint",
    description: "Address of the store without the bucket; empty: that of Amazon's region",
  }),
  region: givenName({ min: 1, max: 60 }).refine((text) => /^[a-z0-9-]+$/.test(text), {
    error: "must be a region such as eu-central-1",
  }).default("us-east-1").meta({ title: "Region" }),
  access_key: givenName({ min: 1, max: 200 }).optional().meta({
    title: "Access key",
    description: "It needs s3:ListBucket and s3:GetObject; empty: the bucket is public",
  }),
  secret_key: secretSetting("Secret key"),
  ca: authoritySetting("PEM of a private certificate authority"),
  host: SourceHost.default("localhost").meta({
    title: "Host",
    description: "Name of the machine in the names of files in folders",
  }),
  paths: z.array(Path).min(1, { error: "must name a folder or prefix" }).max(maxPaths).meta({
    title: "Paths",
    description:
      "Prefixes of the bucket, or absolute folders, one a line; folders must be in connections.artifact-dirs",
  }),
  ...patternSettings("paths of datasets", "raw/orders*"),
}).refine(
  ({ bucket, paths }) => bucket !== undefined || paths.every((path) => path.startsWith("/")),
  {
    path: ["paths"],
    error: "must be absolute folders where no bucket is given",
  },
).openapi("FilesSettings");
export type FilesSettings = z.output<typeof FilesSettings>;
