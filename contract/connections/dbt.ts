import { z } from "@hono/zod-openapi";
import { givenName } from "#contract/text.ts";
import { patternSettings, secretSetting, SourceUrl } from "./common.ts";

/** An absolute path without steps upwards. */
const isFolder = (text: string) => text.startsWith("/") && !text.split("/").includes("..");

/** Settings of a connection to the artifacts of a dbt project. */
export const DbtSettings = z.strictObject({
  project: givenName({ min: 1, max: 100 }).meta({
    title: "Project",
    description: "Name of the project; its assets are named after it",
  }),
  location: givenName({ min: 1, max: 1_000 }).refine(
    (text) => isFolder(text) || SourceUrl.safeParse(text).success,
    { error: "must be an absolute folder, or an http or https address without user and query" },
  ).meta({
    title: "Artifacts",
    description:
      "Folder or address that holds manifest.json; a folder must be in connections.artifact-dirs",
  }),
  token: secretSetting("Token", "Sent as bearer token with an address. "),
  warehouse: givenName({ min: 1, max: 300 }).meta({
    title: "Warehouse",
    description:
      "Namespace of the tables as OpenLineage writes it: postgres://db.example:5432, bigquery, …",
  }),
  ...patternSettings("package.model", "shop.staging_*"),
}).openapi("DbtSettings");
export type DbtSettings = z.output<typeof DbtSettings>;

/** Whether artifacts are read over HTTP, and not from a folder. */
export const isRemote = ({ location }: Pick<DbtSettings, "location">) => !location.startsWith("/");
