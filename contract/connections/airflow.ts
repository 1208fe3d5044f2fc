import { z } from "@hono/zod-openapi";
import { givenName } from "#contract/text.ts";
import { authoritySetting, patternSettings, secretSetting, SourceUrl } from "./common.ts";

/** Most runs of each DAG that are read. */
export const maxRuns = 25;

/** Settings of a connection to Airflow 2 or 3. */
export const AirflowSettings = z.strictObject({
  url: SourceUrl.meta({
    title: "Address",
    description: "Of the web server, with the path below which it is served",
  }),
  ca: authoritySetting("PEM of a private certificate authority"),
  user: givenName({ min: 1, max: 250 }).optional().meta({
    title: "User",
    description: "With read access to DAGs, tasks, runs and datasets, as the role Viewer has it",
  }),
  password: secretSetting("Password"),
  token: secretSetting("Token", "Sent as bearer token, instead of user and password. "),
  namespace: givenName({ min: 1, max: 300 }).default("default").meta({
    title: "Namespace",
    description: "Namespace of its jobs in OpenLineage events; each Airflow needs its own",
  }),
  runs: z.int().min(0).max(maxRuns).default(5).meta({
    title: "Runs",
    description: "Newest runs of each DAG to read",
  }),
  ...patternSettings("DAG ids", "sales_*"),
}).openapi("AirflowSettings");
export type AirflowSettings = z.output<typeof AirflowSettings>;
