import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { runProgram } from "#test/support/engines/programs.ts";

let test: TestDatabase;
let service: ServiceProcess | undefined;
beforeAll(async () => void (test = await testDatabase()));
afterAll(async () => {
  await service?.kill();
  await test.drop();
});

const messagesOf = (lines: string[]) => lines.map((line) => JSON.parse(line).message);

it("a service writes nothing but JSON from its start to its end", async () => {
  const env = { METADATA_POSTGRES_URL: test.url };
  service = await startService({ service: "api", env, readyWithin: 300_000 });
  const { code } = await service.terminate();
  expect(code).toBe(0);
  expect(messagesOf(service.output())).toEqual(expect.arrayContaining(["ready", "stopped"]));
});

it.each<[string, string[], Record<string, string>, number]>([
  ["an unknown service", ["--service", "scheduler"], {}, 2],
  ["an unknown option", ["--serve", "api"], {}, 1],
  ["a wrong configuration", [], { SERVER_PORT: "http", LINEAGE_MAX_NODES: "0" }, 2],
])("a process that cannot start says so in JSON: %s", async (_, args, env, expected) => {
  const { code, text } = await runProgram(["main.ts", ...args], env);
  const lines = text.trim().split("\n");
  expect(messagesOf(lines).at(-1), text).toBe("cannot start");
  expect(JSON.parse(lines.at(-1)!).reason).not.toBe("");
  expect(code).toBe(expected);
});
