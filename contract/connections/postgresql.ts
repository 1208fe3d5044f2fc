import { z } from "@hono/zod-openapi";
import { givenName } from "#contract/text.ts";
import {
  authoritySetting,
  patternSettings,
  secretSetting,
  SourceHost,
  SourcePort,
  tlsModes,
} from "./common.ts";

/** Whether query history is read, and whether the names of the roles that read are stored. */
const queryHistory = ["off", "without-roles", "with-roles"] as const;

/** Settings of a connection to PostgreSQL. `writeOnly` marks secrets, which no answer shows. */
export const PostgresqlSettings = z.strictObject({
  host: SourceHost.meta({ title: "Host" }),
  port: SourcePort.default(5_432).meta({ title: "Port" }),
  database: givenName({ min: 1, max: 63 }).meta({ title: "Database" }),
  user: givenName({ min: 1, max: 63 }).meta({
    title: "User",
    description: "A role that may connect; it needs no other privilege",
  }),
  password: secretSetting("Password"),
  tls: z.enum(tlsModes).default("prefer").meta({
    title: "TLS",
    description: "As sslmode of libpq; verify-full checks certificate and host name",
  }),
  ca: authoritySetting("PEM of a private certificate authority, for verify-full"),
  query_history: z.enum(queryHistory).default("without-roles").meta({
    title: "Query history",
    description:
      "Lineage and usage from pg_stat_statements, where it is installed; with-roles also stores which roles read",
  }),
  ...patternSettings("schema.table", "sales.*"),
}).openapi("PostgresqlSettings");
export type PostgresqlSettings = z.output<typeof PostgresqlSettings>;
