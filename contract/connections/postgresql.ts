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
  ...patternSettings("schema.table", "sales.*"),
}).openapi("PostgresqlSettings");
export type PostgresqlSettings = z.output<typeof PostgresqlSettings>;
