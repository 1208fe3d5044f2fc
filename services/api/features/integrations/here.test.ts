import { expect, it } from "vitest";
import { parse } from "yaml";
import { parseBody } from "#contract/ingestion/parse.ts";
import { DataEntityList } from "#contract/ingestion/schema.ts";
import { wireName } from "#eventlog/kafka/client.ts";
import { Config } from "#platform/config/schema.ts";
import { integrations } from "#services/api/features/integrations/content/all.ts";
import { hereOf } from "#services/api/features/integrations/integration.ts";
import { answers, filled } from "#services/api/features/integrations/testing/fill.ts";

const here = (config: object, baseUrl = "https://catalogue.example/") =>
  hereOf({ config: Config.parse(config), baseUrl: () => baseUrl });
const secrets = { otlp_token: "s3cret", token: "t", personal_token: "p" };
/** The snippets of an integration that this configuration offers. */
const texts = (id: string, config: object) => {
  const { offered, blocks } = integrations.find((one) => one.id === id)!;
  if (offered?.(here(config)) === false) return [];
  return blocks(here(config)).flatMap(({ code_snippets }) => code_snippets)
    .map((one) => filled(one, secrets));
};

it("addresses follow the configuration", () => {
  expect(here({})).toEqual({
    platformUrl: "https://catalogue.example",
    otlpHttpUrl: "http://catalogue.example:4318",
    otlpGrpcUrl: "http://catalogue.example:4317",
    otlpToken: false,
    ingestionToken: false,
    signIn: false,
    mcp: true,
    openLineage: true,
    kafka: undefined,
  });
  const traces = {
    http: { port: 9318 },
    grpc: { port: 0 },
    tls: { "cert-file": "c", "key-file": "k" },
  };
  expect(here({ traces }, "http://[::1]:8080")).toMatchObject({
    otlpHttpUrl: "https://[::1]:9318",
    otlpGrpcUrl: undefined,
  });
});

it("every template names its arguments and only those, with and without tokens", () => {
  const strict = {
    auth: {
      type: "LOGIN_FORM",
      "login-form-credentials": "a:b",
      ingestion: { filter: { enabled: true } },
    },
    traces: { token: "s3cret-of-exporters" },
    "event-log": { kafka: { brokers: "a:9092,b:9092" } },
  };
  expect([texts("kafka", {}).length, texts("kafka", strict).length]).toEqual([0, 2]);
  for (const config of [{}, strict]) {
    for (const { id } of integrations) {
      const shown = texts(id, config).join("\n");
      expect(shown).not.toMatch(/\{\{\w|undefined/);
      expect(shown).not.toContain("s3cret-of-exporters");
    }
  }
  expect(texts("http", strict).every((text) => text.includes("authorization: Bearer"))).toBe(true);
  expect(texts("http", {}).join()).not.toContain("authorization");
  expect(texts("collectors", strict)[0]).toContain("authorization: Bearer p");
});

it("assistants are told the address, and a token where people sign in; unless they may not ask", () => {
  const signedIn = { auth: { type: "LOGIN_FORM", "login-form-credentials": "a:b" } };
  for (const [config, header] of [[{}, undefined], [signedIn, "Bearer p"]] as const) {
    const [command, cursor, vsCode, bridged] = texts("mcp", config);
    const { tributary } = JSON.parse(cursor!).mcpServers;
    expect(tributary.url).toBe("https://catalogue.example/mcp");
    expect(tributary.headers?.Authorization).toBe(header);
    expect(JSON.parse(vsCode!).servers.tributary).toEqual({ type: "http", ...tributary });
    expect(JSON.parse(bridged!).mcpServers.tributary.env?.AUTHORIZATION).toBe(header);
    expect(command).toContain("tributary https://catalogue.example/mcp");
    expect(command!.includes("Bearer p")).toBe(header !== undefined);
  }
  expect(texts("mcp", { mcp: { enabled: false } })).toEqual([]);
  expect(texts("spark", { openlineage: { enabled: false } })).toEqual([]);
});

it("the exporter of a Collector has the token where one is requested", () => {
  const exporterOf = (config: object) =>
    parse(texts("opentelemetry", config).at(-1)!).exporters["otlphttp/catalogue"];
  expect(exporterOf({})).toEqual({ endpoint: "http://catalogue.example:4318" });
  expect(exporterOf({ traces: { token: "12345678" } })).toMatchObject({
    headers: { authorization: "Bearer s3cret" },
  });
});

it("a record for Kafka is a batch, for the topic that is read", () => {
  const config = { instance: "shop", "event-log": { kafka: { brokers: "a:9092,b:9092" } } };
  const [record, command] = texts("kafka", config);
  const [key, value] = record!.trimEnd().split("|");
  expect(key).toBe(answers.data_source_catrn);
  const batch = parseBody(DataEntityList, value!);
  expect([batch.data_source_catrn, batch.items.length]).toEqual([key, 1]);
  expect(command).toContain("--bootstrap-server 'a:9092,b:9092'");
  expect(command).toContain(`--topic '${wireName("shop", "ingestion.batches")}'`);
});
