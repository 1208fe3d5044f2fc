import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import {
  distributed,
  kafkaBrokers,
  neo4jOptions,
  redisUrl,
} from "#test/support/engines/engines.ts";
import { spawnTied, type TiedProcess } from "#test/support/engines/tied.ts";
import { eventually } from "#test/support/eventually.ts";
import { exposureOf, plainSecrets } from "#platform/config/exposure.ts";
import { loadConfig } from "#platform/config/load.ts";
import { formUsers } from "#services/api/access/sign-in/credentials.ts";
import { isRedisFixed } from "../tools/checks/compose.ts";
import { volumeProblems } from "../tools/checks/volumes.ts";
import { type ComposeService, composeServices, placeholderSecret } from "../tools/compose.ts";
import { freePort } from "../tools/engines/process.mjs";

const page = readFileSync("docs/operate/compose.md", "utf8");
const own = Object.entries(composeServices()).filter(([, service]) => service.own);

describe("docker-compose.yml", () => {
  it("runs each service of ours as one that main.ts knows", () => {
    const started = own.map(([name, service]) => [name, ...service.command.slice(-2)]);
    expect(started).toEqual(own.map(([name]) => [name, "--service", name]));
  });

  it("hands every service the addresses of all distributed engines", () => {
    for (const [, { environment }] of own) {
      expect(Object.keys(environment)).toEqual(expect.arrayContaining([
        "METADATA_POSTGRES_URL",
        "EVENT_LOG_KAFKA_BROKERS",
        "GRAPH_NEO4J_URL",
        "GRAPH_NEO4J_PASSWORD",
        "CACHE_REDIS_URL",
      ]));
    }
  });

  it("takes no connection of its private network for one to be warned of", () => {
    for (const [, { environment }] of own) {
      const config = loadConfig({ env: environment });
      expect(plainSecrets(config).warned).toEqual([]);
      expect(plainSecrets(config).accepted).toHaveLength(3);
    }
  });

  it("has people sign in and collectors send tokens, with nothing to be warned of", () => {
    for (const [name, { environment }] of own) {
      const config = loadConfig({ env: environment });
      expect([name, config.auth.ingestion.filter.enabled]).toEqual([name, true]);
      expect("AUTH_LOGIN_FORM_CREDENTIALS" in environment).toBe(name === "api");
      if (name !== "api") continue;
      expect(config.auth.type).toBe("LOGIN_FORM");
      expect(exposureOf(config, [name])).toEqual({ refused: [], warned: [] });
    }
  });

  it("is open again with the lines of its page", () => {
    const [, lines = ""] = /```sh open-access\n(.*?)```/s.exec(page) ?? [];
    const variables = Object.fromEntries(lines.trim().split("\n").map((line) => line.split("=")));
    const config = loadConfig({ env: composeServices(variables).api!.environment });
    expect([config.auth.type, config.auth.ingestion.filter.enabled]).toEqual(["DISABLED", false]);
    expect(exposureOf(config, ["api"])).toEqual({ refused: [], warned: [] });
  });

  it("takes further users as its page shows", () => {
    const [, yaml = ""] = /```yaml override\n(.*?)```/s.exec(page) ?? [];
    const { AUTH_LOGIN_FORM_CREDENTIALS: users } = parse(yaml).services.api.environment;
    const credentials = users.replaceAll("$$", "$");
    const env = { AUTH_TYPE: "LOGIN_FORM", AUTH_LOGIN_FORM_CREDENTIALS: credentials };
    expect(formUsers(loadConfig({ env })).map(({ username, hashed }) => [username, hashed]))
      .toEqual([["admin", false], ["ada", true]]);
  });

  it("calls PostgreSQL healthy only when it answers by TCP, as it does not during its first set-up", () => {
    const { test } = composeServices().postgres!.healthcheck;
    expect(test.slice(0, 4)).toEqual(["CMD", "pg_isready", "--host", "127.0.0.1"]);
  });

  it.each(Object.entries(composeServices()))("checks %s without a JVM", (_, { healthcheck }) => {
    expect(healthcheck.test.join(" ")).not.toMatch(
      /java|kafka-[\w-]+\.sh|cypher-shell|neo4j-admin/,
    );
  });

  it("leaves no anonymous volume behind, and finds one that would be", () => {
    expect(volumeProblems()).toEqual([]);
    const given = { volumes: ["data:/data", "./a.conf:/etc/a.conf:ro"], tmpfs: ["/tmp:size=1m"] };
    const volumes = { engine: ["/data", "/logs", "/tmp"] };
    expect(volumeProblems({ engine: { image: "engine:1.2@sha256:0", given } }, volumes))
      .toEqual(["engine: mount a named volume or a tmpfs at /logs, a volume of its image"]);
    expect(volumeProblems({ other: { image: "other:1", given } }, volumes))
      .toEqual(["other: add the volumes of other:1 to tools/checks/volumes.ts"]);
  });

  it.each([
    ["redis:7.4.2-alpine", false],
    ["redis:7.2.11", true],
    ["redis:7.4.6-alpine@sha256:0", true],
    ["redis:8.0.3", false],
    ["redis:8.2.2", true],
    ["redis:8.4.0", true],
    ["redis:6.2.20", false],
  ])("%s has the fix of CVE-2025-49844: %s", (image, fixed) => {
    expect(isRedisFixed(image)).toBe(fixed);
  });
});

const deno = "node_modules/deno/deno";

/** One container's command as a plain process. */
interface StartedService {
  name: string;
  service: ComposeService;
  process: TiedProcess;
  env: Record<string, string | undefined>;
  url: string;
  said: () => string;
}

if (distributed()) {
  describe("the services of docker-compose.yml, each as a process with its own permissions", () => {
    let test: TestDatabase;
    let started: StartedService[];
    beforeAll(async () => {
      test = await testDatabase();
      started = await Promise.all(own.map(([name, service]) => start(name, service, test)));
    });
    afterAll(async () => {
      await Promise.all(started.map(({ process }) => process.kill()));
      await test.drop();
    });
    const named = (name: string) => started.find((service) => service.name === name)!;

    it("pass the health check of their container", async () => {
      await Promise.all(started.map((service) =>
        eventually(async () => {
          const [command = "", ...args] = service.service.healthcheck.test.slice(1);
          const check = spawn(command, args, { env: service.env, stdio: "ignore" });
          const [code] = await once(check, "exit");
          expect(code).toBe(0);
        }, { describe: () => started.map(({ name, said }) => [name, said()]) })
      ));
    });

    it("take nothing from strangers", async () => {
      const { url } = named("api");
      const read = await fetch(`${url}/api/dataentities?page=1&size=1`);
      const posted = await post(named("api"), "/ingestion/datasources", { items: [] });
      expect([read.status, posted.status]).toEqual([401, 401]);
      for (const answer of [read, posted]) await answer.body?.cancel();
    });

    it.each(examplesOf(page))("do as their page shows: $title", async ({ command, output }) => {
      const folder = mkdtempSync(join(tmpdir(), "tributary-compose-"));
      writeFileSync(join(folder, ".env"), `TRIBUTARY_ADMIN_PASSWORD=${placeholderSecret}\n`);
      symlinkSync(resolve("docs"), join(folder, "docs"));
      const script = command.replaceAll("http://127.0.0.1:8080", named("api").url);
      expect(await outputOf(`cd ${folder}\n${script}`, {}, 120_000)).toBe(output);
      rmSync(folder, { recursive: true });
    });

    it("end with 0 when they are told to", async () => {
      const codes = await Promise.all(started.map(async ({ process }) => {
        await process.signal("SIGTERM");
        return await process.ended;
      }));
      expect(codes).toEqual(started.map(() => 0));
    });
  });
}

async function start(
  name: string,
  service: ComposeService,
  test: TestDatabase,
): Promise<StartedService> {
  const port = String(await freePort());
  const { url, password } = neo4jOptions();
  const env = {
    ...process.env,
    ...service.environment,
    INSTANCE: test.name,
    SERVER_HOST: "127.0.0.1",
    SERVER_PORT: port,
    TRACES_HTTP_PORT: "0",
    TRACES_GRPC_PORT: "0",
    METADATA_POSTGRES_URL: test.url,
    EVENT_LOG_KAFKA_BROKERS: kafkaBrokers().join(","),
    GRAPH_NEO4J_URL: url,
    GRAPH_NEO4J_PASSWORD: password,
    CACHE_REDIS_URL: redisUrl(),
  };
  let said = "";
  const onLine = (line: string) => void (said = `${said}${line}\n`.slice(-8_000));
  const address = `http://127.0.0.1:${port}`;
  const running = spawnTied(deno, service.command, { env, onLine });
  return { name, service, process: running, env, url: address, said: () => said };
}

function post(service: StartedService, path: string, body: unknown): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}
