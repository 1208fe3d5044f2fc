import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";

function fromYaml(text: string, env: Record<string, string> = {}) {
  const file = join(mkdtempSync(join(tmpdir(), "config-")), "tributary.yaml");
  writeFileSync(file, text);
  return loadConfig({ env, file });
}

describe("loadConfig", () => {
  it("has a default for everything", () => {
    const config = fromYaml("");
    expect(config.server).toEqual({
      host: "127.0.0.1",
      port: 8080,
      hosts: [],
      cors: { origins: [] },
      "private-hosts": [],
      "trusted-proxies": [],
      "max-requests-per-address": 1_000,
      "max-requests-per-caller": 6,
      "max-written-per-caller": 200 * 1024 ** 2,
      "max-refused-bytes-per-address": 16 * 1_048_576,
      "max-change-streams": 500,
      "max-change-streams-per-caller": 50,
      "max-body-size": 5_242_880,
      "body-timeout": 60_000,
    });
    expect(config.ingestion).toEqual({ "ack-timeout": 10_000, "max-body-size": 20 * 1_048_576 });
  });
  it("lets the environment win over the file", () => {
    const config = fromYaml("server: { port: 1 }\nlineage: { timeout: 2 s }", {
      SERVER_PORT: "9000",
      EVENT_LOG_KAFKA_BROKERS: "a:1,b:2",
      HOUSEKEEPING_ENABLED: "false",
    });
    expect(config.server.port).toBe(9000);
    expect(config.lineage.timeout).toBe(2_000);
    expect(config["event-log"].kafka.brokers).toBe("a:1,b:2");
    expect(config.housekeeping.enabled).toBe(false);
  });
  it("reports every problem at once with key, value and what is allowed", () => {
    const env = { SERVER_PORT: "high", LINEAGE_MAX_NODES: "0", INSTANCE: "Two Words" };
    expect(() => fromYaml("", env)).toThrow(/server\.port: "high".*\n.*lineage\.max-nodes: 0/s);
    expect(() => fromYaml("", env)).toThrow(/instance: "Two Words"/);
  });
  it.each([
    ["server: { prot: 1 }", /server\.prot: unknown key; the nearest is server\.port/],
    ["spring: { datasource: { url: x } }", /use metadata\.postgres\.url/],
    ["spring: { main: 1 }", /spring\.main: not a key of this product/],
    ["server: [", /not YAML/],
  ])("refuses %s", (text, message) => {
    expect(() => fromYaml(text)).toThrow(message);
  });
  it("refuses sessions in a Redis that is not configured", () => {
    const env = { SESSION_PROVIDER: "REDIS" };
    expect(() => fromYaml("", env)).toThrow(/session\.provider: "REDIS" needs cache\.redis\.url/);
    expect(fromYaml("", { ...env, CACHE_REDIS_URL: "redis://127.0.0.1" }).session.provider).toBe(
      "REDIS",
    );
  });

  it("has a depth of messages wherever notifications are enabled", () => {
    const depthOf = (text: string, env = {}) =>
      fromYaml(text, env).notifications.message["downstream-entities-depth"];
    const enabled = "notifications: { enabled: true }";
    expect(depthOf(enabled)).toBe(1);
    expect(depthOf("", { NOTIFICATIONS_ENABLED: "true" })).toBe(1);
    const depth = { NOTIFICATIONS_MESSAGE_DOWNSTREAM_ENTITIES_DEPTH: "3" };
    expect(depthOf(enabled, depth)).toBe(3);
    const inFile = "notifications: { enabled: true, message: { downstream-entities-depth: 0 } }";
    expect(depthOf(inFile)).toBe(0);
  });

  it.each([
    "lineage: { timeout: 0 ms }",
    "ingestion: { max-body-size: 0 }",
    "server: { max-body-size: 0 kB }",
    "session: { idle-timeout: 0 s }",
    "session: { absolute-timeout: 0 }",
    "metadata: { lookup: { import-timeout: 0 } }",
    "metadata: { lookup: { max-import-size: 0 } }",
    "notifications: { wal: { heartbeat: 0 } }",
    "openlineage: { ttl: 0 }",
    "openlineage: { run-timeout: 0 }",
    "openlineage: { refresh: 0 }",
    "traces: { max-request-size: 0 }",
    "traces: { max-in-flight: 0 }",
    "traces: { publish-timeout: 0 }",
    "traces: { publish-interval: 0 }",
    "traces: { window: 0 }",
  ])("refuses %s, with which nothing would work", (text) => {
    expect(() => fromYaml(text)).toThrow(/must be more than 0/);
  });

  it("never shows a secret", () => {
    const bad = "metadata: { postgres: { url: [hunter2] } }";
    expect(() => fromYaml(bad)).toThrow(/metadata\.postgres\.url: the value given/);
    expect(() => fromYaml(bad)).not.toThrow(/hunter2/);
  });
  it("refuses a named file that does not exist", () => {
    expect(() => loadConfig({ env: { TRIBUTARY_CONFIG: "/nowhere.yaml" } })).toThrow(/nowhere/);
  });
});
