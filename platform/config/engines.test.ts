import { describe, expect, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";
import { plainSecrets } from "#platform/config/exposure.ts";

const kafka = { EVENT_LOG_KAFKA_BROKERS: "kafka:9092" };
const sasl = {
  EVENT_LOG_KAFKA_SASL_MECHANISM: "plain",
  EVENT_LOG_KAFKA_SASL_USERNAME: "u",
  EVENT_LOG_KAFKA_SASL_PASSWORD: "s3cret-word",
};

describe("settings that do nothing are refused, each by its key", () => {
  it.each<[Record<string, string>, RegExp]>([
    [{ ...kafka, EVENT_LOG_KAFKA_SASL_USERNAME: "u" }, /sasl\.username: "u" does nothing without/],
    [{ ...kafka, EVENT_LOG_KAFKA_SASL_PASSWORD: "p" }, /sasl\.password: the value .* does nothing/],
    [
      { ...kafka, EVENT_LOG_KAFKA_SASL_MECHANISM: "plain" },
      /sasl\.username: nothing is required[^]*sasl\.password: .*is required/,
    ],
    [{ ...kafka, EVENT_LOG_KAFKA_SSL_CA_FILE: "ca" }, /ssl\.ca-file: "ca" does nothing unless/],
    [{ EVENT_LOG_KAFKA_SSL_ENABLED: "true" }, /ssl\.enabled: true does nothing without/],
    [sasl, /sasl\.mechanism: "plain" does nothing without event-log\.kafka\.brokers/],
    [{ GRAPH_NEO4J_PASSWORD: "p" }, /graph\.neo4j\.password: .* does nothing without/],
    [
      { GRAPH_NEO4J_URL: "bolt://h", GRAPH_NEO4J_SSL_CA_FILE: "ca" },
      /graph\.neo4j\.ssl\.ca-file: "ca" does nothing unless/,
    ],
    [{ GRAPH_NEO4J_URL: "bolt+ssc://h" }, /graph\.neo4j\.url: the value given must be an address/],
    [
      { METADATA_POSTGRES_SSL_CA_FILE: "ca" },
      /metadata\.postgres\.ssl\.ca-file: "ca" does nothing/,
    ],
    [
      {
        METADATA_POSTGRES_URL: "postgres://h/d?sslmode=require",
        METADATA_POSTGRES_SSL_CA_FILE: "c",
      },
      /ca-file: "c" does nothing unless metadata\.postgres\.url has sslmode=verify-full/,
    ],
    [{ CACHE_REDIS_URL: "redis://h", CACHE_REDIS_SSL_CA_FILE: "ca" }, /rediss:\/\//],
    [{ TRACES_TLS_CERT_FILE: "cert" }, /cert-file and key-file go together/],
    [{ NOTIFICATIONS_RECEIVERS_WEBHOOK_SECRET: "s" }, /webhook\.secret: .* does nothing/],
    [{ NOTIFICATIONS_RECEIVERS_EMAIL_PASSWORD: "p" }, /email\.password: .* does nothing/],
    [{ NOTIFICATIONS_RECEIVERS_EMAIL_TLS_CA_FILE: "ca" }, /email\.tls\.ca-file: "ca" does nothing/],
  ])("%j", (env, expected) => {
    expect(() => loadConfig({ env })).toThrow(expected);
  });

  it("name the key, also where a secret is the same word", () => {
    expect(() => loadConfig({ env: { NOTIFICATIONS_RECEIVERS_WEBHOOK_SECRET: "secret" } }))
      .toThrow(/webhook\.secret: .* does nothing/);
  });

  it("takes them where they do something", () => {
    const ssl = { EVENT_LOG_KAFKA_SSL_ENABLED: "true", EVENT_LOG_KAFKA_SSL_CA_FILE: "ca" };
    expect(loadConfig({ env: { ...kafka, ...sasl, ...ssl } })["event-log"].kafka).toMatchObject({
      ssl: { enabled: true, "ca-file": "ca" },
      sasl: { mechanism: "plain" },
    });
  });
});

describe("addresses of engines", () => {
  it.each([
    ["METADATA_POSTGRES_URL", "postgresql://u:p%40%23@h:5432/db?sslmode=verify-full"],
    ["METADATA_POSTGRES_URL", "postgres://%2Frun%2Fpostgresql/db"],
    ["METADATA_POSTGRES_URL", "postgres://u:p@[::1]/db"],
    ["GRAPH_NEO4J_URL", "neo4j+s://h"],
    ["CACHE_REDIS_URL", "rediss://:p@h:6379/2"],
  ])("%s may be %s", (name, url) => {
    expect(() => loadConfig({ env: { [name]: url } })).not.toThrow();
  });
  it.each([
    ["METADATA_POSTGRES_URL", "h/db"],
    ["METADATA_POSTGRES_URL", "postgres://u:p%@h/db"],
    ["GRAPH_NEO4J_URL", "http://h"],
    ["CACHE_REDIS_URL", "h:6379"],
  ])("%s must not be %s", (name, url) => {
    expect(() => loadConfig({ env: { [name]: url } })).toThrow(
      /the value given must be an address/,
    );
  });
});

describe("plainSecrets", () => {
  const genai = { GENAI_ENABLED: "true", GENAI_REQUEST_TIMEOUT: "1" };
  const keys = (env: Record<string, string>) =>
    plainSecrets(loadConfig({ env })).warned.map(({ key, host }) => `${key} ${host}`);

  it.each<[Record<string, string>, string[]]>([
    [{}, []],
    [{ ...kafka, ...sasl }, ["event-log.kafka.sasl.password kafka"]],
    [{ ...kafka, ...sasl, EVENT_LOG_KAFKA_BROKERS: "127.0.0.1:9, localhost:9" }, []],
    [{ ...kafka, ...sasl, EVENT_LOG_KAFKA_SSL_ENABLED: "true" }, []],
    [{ GRAPH_NEO4J_URL: "bolt://h", GRAPH_NEO4J_PASSWORD: "p" }, ["graph.neo4j.password h"]],
    [{ GRAPH_NEO4J_URL: "bolt+s://h", GRAPH_NEO4J_PASSWORD: "p" }, []],
    [{ METADATA_POSTGRES_URL: "postgres://u:p@h/d" }, ["metadata.postgres.url h"]],
    [{ METADATA_POSTGRES_URL: "postgres://u:p@h/d?sslmode=disable" }, ["metadata.postgres.url h"]],
    [{ METADATA_POSTGRES_URL: "postgres://u:p@h/d?sslmode=verify-full" }, []],
    [{ METADATA_POSTGRES_URL: "postgres://u:p@[::1]/d" }, []],
    [{ METADATA_POSTGRES_URL: "postgres://u@h/d" }, []],
    [{ CACHE_REDIS_URL: "redis://:p@h" }, ["cache.redis.url h"]],
    [{ CACHE_REDIS_URL: "redis://h" }, []],
    [{ TRACES_TOKEN: "12345678", TRACES_HTTP_HOST: "0.0.0.0" }, ["traces.token 0.0.0.0"]],
    [{ TRACES_TOKEN: "12345678" }, []],
    [
      { NOTIFICATIONS_ENABLED: "true", NOTIFICATIONS_RECEIVERS_CHAT_URL: "http://chat.example/x" },
      ["notifications.receivers.chat.url chat.example"],
    ],
    [{ ...genai, GENAI_URL: "http://u:p@ai.example" }, ["genai.url ai.example"]],
    [{ ...genai, GENAI_URL: "http://ai.example" }, []],
  ])("of %j: %j", (env, expected) => {
    expect(keys(env)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ["h, K1", ["event-log.kafka.sasl.password k2"], [
      "event-log.kafka.sasl.password k1",
      "graph.neo4j.password H",
    ]],
    ["fd00::1", [
      "event-log.kafka.sasl.password k1",
      "event-log.kafka.sasl.password k2",
      "graph.neo4j.password H",
    ], []],
  ])(
    "accepts those to server.private-hosts %s, and warns of all others",
    (hosts, warned, accepted) => {
      const env = {
        ...{ ...sasl, EVENT_LOG_KAFKA_BROKERS: "k1:9092,k2:9092", SERVER_PRIVATE_HOSTS: hosts },
        ...{ GRAPH_NEO4J_URL: "bolt://H", GRAPH_NEO4J_PASSWORD: "p" },
      };
      const found = plainSecrets(loadConfig({ env }));
      const shown = (secrets: typeof found.warned) =>
        secrets.map(({ key, host }) => `${key} ${host}`);
      expect([shown(found.warned), shown(found.accepted)]).toEqual([warned, accepted]);
    },
  );

  it("takes addresses of IPv6 for server.private-hosts, and refuses what has a port or a scheme", () => {
    const env = { CACHE_REDIS_URL: "redis://:p@[FD00::1]:6379", SERVER_PRIVATE_HOSTS: "fd00::1" };
    expect(plainSecrets(loadConfig({ env }))).toMatchObject({ warned: [], accepted: [{}] });
    for (const hosts of ["redis://h", "h/x"]) {
      expect(() => loadConfig({ env: { SERVER_PRIVATE_HOSTS: hosts } }))
        .toThrow(/server\.private-hosts: .* must be host names or addresses without ports/);
    }
  });
});
