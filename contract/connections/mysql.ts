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

/** Settings of a connection to MySQL or MariaDB. */
export const MysqlSettings = z.strictObject({
  host: SourceHost.meta({ title: "Host" }),
  port: SourcePort.default(3_306).meta({ title: "Port" }),
  user: givenName({ min: 1, max: 128 }).meta({
    title: "User",
    description:
      "It sees the tables on which it has SELECT, and definitions of views with SHOW VIEW",
  }),
  password: secretSetting("Password"),
  tls: z.enum(tlsModes).default("prefer").meta({
    title: "TLS",
    description: "verify-full checks certificate and host name, require does not",
  }),
  ca: authoritySetting("PEM of a private certificate authority, for verify-full"),
  ...patternSettings("database.table", "sales.*"),
}).openapi("MysqlSettings");
export type MysqlSettings = z.output<typeof MysqlSettings>;
