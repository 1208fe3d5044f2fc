import { z } from "@hono/zod-openapi";
import { givenName } from "#contract/text.ts";
import { authoritySetting, patternSettings, secretSetting, SourceUrl } from "./common.ts";

/** Settings of a connection to a catalog with Iceberg's REST interface, such as Polaris, Nessie, Lakekeeper or Unity. */
export const IcebergSettings = z.strictObject({
  url: SourceUrl.meta({
    title: "Address",
    description: "Of the catalog, without /v1: https://catalog.example/api/catalog",
  }),
  warehouse: givenName({ min: 1, max: 300 }).optional().meta({
    title: "Warehouse",
    description: "Name or location that the server knows it by; empty where it has one only",
  }),
  ca: authoritySetting("PEM of a private certificate authority"),
  token: secretSetting("Token", "Sent as bearer token, instead of client id and secret. "),
  client_id: givenName({ min: 1, max: 300 }).optional().meta({ title: "Client id" }),
  client_secret: secretSetting("Client secret", "Exchanged for a token by OAuth2. "),
  scope: givenName({ min: 1, max: 500 }).default("catalog").meta({
    title: "Scope",
    description: "Scope of the token, such as PRINCIPAL_ROLE:ALL of Polaris",
  }),
  oauth_url: SourceUrl.optional().meta({
    title: "Token endpoint",
    description: "Address that gives tokens; empty: /v1/oauth/tokens of the catalog",
  }),
  ...patternSettings("namespace.table", "sales.*"),
}).openapi("IcebergSettings");
export type IcebergSettings = z.output<typeof IcebergSettings>;
