import { z } from "@hono/zod-openapi";
import { givenName } from "#contract/text.ts";
import { authoritySetting, patternSettings, secretSetting, SourceUrl } from "./common.ts";

/** How brokers are reached; `require` does not check their certificate. */
const tlsModes = ["disable", "require", "verify-full"] as const;

/** How a user signs in. */
const mechanisms = ["none", "plain", "scram-sha-256", "scram-sha-512"] as const;

/** `host:port`, without a scheme. */
const Broker = givenName({ min: 1, max: 260 }).refine(
  (text) => /^(?:[\p{L}\p{N}._-]+|\[[0-9a-fA-F:.]+\]):\d{1,5}$/u.test(text),
  { error: "must be host:port" },
);

const user = givenName({ min: 1, max: 250 }).optional();

/** Settings of a connection to Kafka, its schema registry and Kafka Connect. */
export const KafkaSettings = z.strictObject({
  brokers: z.array(Broker).min(1, { error: "must name a broker" }).max(20).meta({
    title: "Brokers",
    description: "host:port, one a line; the first one is part of the names of the topics",
  }),
  tls: z.enum(tlsModes).default("disable").meta({
    title: "TLS",
    description: "verify-full checks certificate and host name, require does not",
  }),
  ca: authoritySetting("PEM of a private certificate authority of brokers, registry and Connect"),
  sasl: z.enum(mechanisms).default("none").meta({
    title: "SASL",
    description: "How the user signs in",
  }),
  user: user.meta({
    title: "User",
    description: "It needs DESCRIBE on topics and groups, and DESCRIBE_CONFIGS on topics",
  }),
  password: secretSetting("Password"),
  registry_url: SourceUrl.optional().meta({
    title: "Schema registry",
    description: "Address of a registry with the interface of Confluent; empty: no schemas",
  }),
  registry_user: user.meta({ title: "User of the schema registry" }),
  registry_password: secretSetting("Password of the schema registry"),
  connect_url: SourceUrl.optional().meta({
    title: "Kafka Connect",
    description: "Address of the REST interface of Kafka Connect; empty: no connectors",
  }),
  connect_user: user.meta({ title: "User of Kafka Connect" }),
  connect_password: secretSetting("Password of Kafka Connect"),
  ...patternSettings("topics (exclude: also of groups and connectors)", "orders.*"),
}).openapi("KafkaSettings");
export type KafkaSettings = z.output<typeof KafkaSettings>;
