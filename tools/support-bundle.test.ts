import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTarGzip } from "nanotar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configKeys } from "#platform/config/keys.ts";
import { loadConfig } from "#platform/config/load.ts";
import { isSecretKey } from "#platform/secrets.ts";
import { lastLines, withoutSecrets } from "#platform/support-bundle.ts";
import {
  engineConfig,
  engineSets,
  type Instance,
  startInstance,
} from "#test/support/engines/instance.ts";
import { runToEnd } from "#test/support/engines/programs.ts";
import { parseBundle } from "./support-bundle.ts";

/** Secrets of a configuration, each of which would be recognized anywhere. */
const secrets = {
  AUTH_TYPE: "LOGIN_FORM",
  AUTH_LOGIN_FORM_CREDENTIALS: "ada:opensesame-form",
  AUTH_S2S_ENABLED: "true",
  AUTH_S2S_TOKEN: "opensesame-service-key-of-thirty-two",
  TRACES_TOKEN: "opensesame-traces-of-more-than-thirty-two",
  NOTIFICATIONS_RECEIVERS_CHAT_URL: "https://chat.example/hooks/opensesame-hook",
  NOTIFICATIONS_RECEIVERS_WEBHOOK_URL: "https://ada:opensesame-user@hook.example/opensesame-path",
  NOTIFICATIONS_RECEIVERS_WEBHOOK_SECRET: "opensesame-webhook",
  AUTH_OAUTH2_CLIENT_KEYCLOAK_CLIENT_ID: "catalogue",
  AUTH_OAUTH2_CLIENT_KEYCLOAK_CLIENT_SECRET: "opensesame-client",
  AUTH_OAUTH2_CLIENT_KEYCLOAK_ISSUER_URI: "https://keycloak.example/realms/corp",
  OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=opensesame-otlp",
};

/** The same configuration as environment variables. */
function environment(config: object, above = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => {
      const name = `${above}${key}`.replaceAll(/[.-]/g, "_").toUpperCase();
      return typeof value === "object" && value !== null
        ? Object.entries(environment(value, `${name}_`))
        : [[name, String(value)]];
    }),
  );
}

describe.each(engineSets())("npm run support-bundle, %s engines", (set) => {
  let instance: Instance;
  let folder: string;
  let archive: string;
  let files: Map<string, string>;
  let said: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    instance = await startInstance(set);
    folder = mkdtempSync(join(tmpdir(), "tributary-bundle-"));
    archive = join(folder, "bundle.tar.gz");
    const lines = ["first", ...Object.values(secrets), "key=opensesame-otlp", "last"];
    writeFileSync(join(folder, "service.log"), `${lines.join("\n")}\n`);
    env = {
      INSTANCE: instance.test.name,
      METADATA_POSTGRES_URL: instance.test.url,
      ...environment(engineConfig(set)),
      ...secrets,
    };
    const args = ["--out", archive, "--url", instance.url, "--log", folder];
    const deno = "node_modules/deno/deno";
    const { code, text } = await runToEnd(
      deno,
      ["run", "-A", "tools/support-bundle.ts", ...args],
      env,
    );
    expect(code, text).toBe(0);
    said = text;
    const entries = await parseTarGzip(readFileSync(archive));
    files = new Map(
      entries.map(({ name, text }) => [name.replace("tributary-support/", ""), text]),
    );
  });
  afterAll(async () => {
    await instance?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const parsed = (file: string) => JSON.parse(files.get(file)!);

  it("holds everything that it names, and leaves nothing out", () => {
    expect([...files.keys()].sort()).toEqual([
      "configuration.json",
      "engines.json",
      "health/1.json",
      "lag.json",
      "logs/1-service.log",
      "metrics/1.txt",
      "migrations.json",
      "missing.json",
      "processes.json",
      "tables.json",
      "versions.json",
    ]);
    expect(parsed("missing.json")).toEqual({});
    for (const file of files.keys()) expect(said).toContain(file);
  });

  it("says what runs, how it stands and how far it is", () => {
    expect(parsed("versions.json").tributary).toMatch(/^\d+\.\d+\.\d+/);
    expect(parsed("health/1.json").ready).toBe(true);
    expect(files.get("metrics/1.txt")).toContain("tributary_worker_ready");
    expect(parsed("engines.json")[0]).toMatchObject({ port: "metadata", state: "up" });
    expect(parsed("lag.json")).toBeInstanceOf(Array);
    expect(parsed("migrations.json").migrations.length).toBeGreaterThan(10);
    const tables = parsed("tables.json").map(({ table }: { table: string }) => table);
    expect(tables).toEqual(expect.arrayContaining(["data_entity", "lineage_edge"]));
  });

  it("shows the configuration with its hosts, and the log with its lines", () => {
    expect(parsed("configuration.json")).toMatchObject({
      instance: instance.test.name,
      auth: {
        "login-form-credentials": "***",
        oauth2: { client: { keycloak: { "client-id": "catalogue", "client-secret": "***" } } },
      },
      notifications: { receivers: { chat: { url: "https://chat.example/***" } } },
    });
    expect(files.get("logs/1-service.log")).toMatch(/^first\n[^]*\nlast\n$/);
  });

  it("contains no secret of the configuration, in no file", () => {
    const password = new URL(instance.test.url).password;
    for (const [file, text] of files) {
      expect([file, /opensesame/.test(text)]).toEqual([file, false]);
      if (password.length > 3) expect([file, text.includes(password)]).toEqual([file, false]);
    }
    expect(said).not.toContain("opensesame");
  });

  it("is for its owner alone, and overwrites nothing", async () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const deno = "node_modules/deno/deno";
    const args = ["run", "-A", "tools/support-bundle.ts", "--out", archive, "--url", instance.url];
    const { code, text } = await runToEnd(deno, args, env);
    expect(code).toBe(1);
    expect(text).toContain("EEXIST");
  });
});

it("a bundle is written without engines, and says which do not answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-bundle-"));
  const archive = join(folder, "bundle.tar.gz");
  const env = { METADATA_POSTGRES_URL: "postgres://ada:opensesame@127.0.0.1:1/none" };
  const args = ["--out", archive, "--url", "http://127.0.0.1:1"];
  const deno = "node_modules/deno/deno";
  const { code, text } = await runToEnd(
    deno,
    ["run", "-A", "tools/support-bundle.ts", ...args],
    env,
  );
  expect(code, text).toBe(0);
  const entries = await parseTarGzip(readFileSync(archive));
  const missing = entries.find(({ name }) => name.endsWith("/missing.json"))!.text;
  expect(Object.keys(JSON.parse(missing))).toEqual(["health/1.json", "metrics/1.txt", "engines"]);
  expect(missing + text).not.toContain("opensesame");
  rmSync(folder, { recursive: true });
});

describe("withoutSecrets", () => {
  it.each(configKeys().map(({ key }) => key).filter(isSecretKey))("hides %s", (key) => {
    const path = key.replaceAll("{id}", "keycloak").split(".");
    const tree = path.reduceRight<unknown>((below, name) => ({ [name]: below }), "opensesame/?a=b");
    expect(JSON.stringify(withoutSecrets(tree))).not.toContain("opensesame");
  });

  it.each([
    [
      "postgres://ada:opensesame@db.example:5432/shop?sslmode=verify-full",
      "postgres://db.example:5432/shop?***",
    ],
    ["bolt://graph.example:7687", "bolt://graph.example:7687"],
    ["not an address ://opensesame", "***"],
    ["10 s", "10 s"],
  ])("shows of %s: %s", (value, shown) => {
    expect(withoutSecrets({ engine: { url: value } })).toEqual({ engine: { url: shown } });
  });
});

describe("the arguments of the bundle", () => {
  const config = loadConfig({ env: { SERVER_HOST: "0.0.0.0", SERVER_PORT: "8090" } });

  it("are those of this machine by default", () => {
    expect(parseBundle([], config)).toMatchObject({
      urls: ["http://127.0.0.1:8090"],
      logs: ["./data"],
      lines: 500,
    });
  });

  it.each([[["--lines", "0"]], [["--url", "file:///etc/passwd"]], [["--all"]]])(
    "are refused: %j",
    (args) => expect(parseBundle(args, config)).toBeNull(),
  );
});

it("lastLines reads the end of a file, without a line that is cut", () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-log-"));
  const file = join(folder, "a.log");
  writeFileSync(file, Array.from({ length: 200_000 }, (_, n) => `line ${n}\n`).join(""));
  expect(lastLines(file, 2)).toBe("line 199998\nline 199999\n");
  expect(lastLines(file, 1e6).split("\n")[0]).toMatch(/^line \d+$/);
  rmSync(folder, { recursive: true });
});
