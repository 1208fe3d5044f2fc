import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { loadConfig } from "#platform/config/load.ts";
import { reportFailure } from "#platform/startup.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { runProgram, runToEnd } from "#test/support/engines/programs.ts";

const secret = "hunter2-s3cret";
let directory: string;

beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), "tributary-secrets-"))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const separateData = () => ({ DATA_DIR: join(directory, "data") });
const run = (program: string[], env: Record<string, string>) =>
  runProgram(program, { ...separateData(), ...env });

let serial = 0;
function file(text: string): Record<string, string> {
  const path = join(directory, `${++serial}.yaml`);
  writeFileSync(path, text);
  return { TRIBUTARY_CONFIG: path };
}

const url = `postgres://tributary:${secret}@127.0.0.1:1/db`;
const hostile: [what: string, env: () => Record<string, string>, expected: RegExp][] = [
  [
    "a password with a #",
    () => ({ METADATA_POSTGRES_URL: `postgres://u:${secret}#x@h/db` }),
    /metadata\.postgres\.url/,
  ],
  [
    "a password with a %",
    () => ({ METADATA_POSTGRES_URL: `postgres://u:${secret}%zz@h/db` }),
    /metadata\.postgres\.url/,
  ],
  ["another protocol", () => ({ CACHE_REDIS_URL: `http://u:${secret}@h` }), /cache\.redis\.url/],
  ["a user of Neo4j", () => ({ GRAPH_NEO4J_URL: `bolt://u:${secret}@h` }), /graph\.neo4j\.url/],
  ["a token without end", () => file(`traces: { token: "${secret} }`), /not YAML: line 1/],
  ["a line that is no YAML", () => file(`traces:\n  token: "a" ${secret}`), /not YAML: line 2/],
  ["an alias", () => file(`traces: { token: *${secret} }`), /not YAML.*alias/],
  ["a tag", () => file(`traces: { token: !${secret} x }`), /not YAML: line 1/],
  ["an escape", () => file(`traces: { token: "\\q${secret}" }`), /not YAML: line 1/],
  ["braces", () => file(`traces: { token: { ${secret}: } }`), /traces\.token: must be one value/],
  ["text alone", () => file(secret), /first level must be keys/],
  ["a key not set off", () => file(`metadata: { postgres: "url:${url}" }`), /metadata\.postgres:/],
  ["an address as a key", () => file(`"${url}": x`), /unknown key/],
  ["an address elsewhere", () => file(`lineage: { max-nodes: "${url}" }`), /max-nodes/],
  [
    "a number",
    () => file("notifications: { receivers: { email: { password: 4711471147 } } }"),
    /./,
  ],
  ["a password that does nothing", () => ({ GRAPH_NEO4J_PASSWORD: secret }), /does nothing/],
  ["the file's name", () => ({ TRIBUTARY_CONFIG: url }), /does not exist/],
];

/** What `main.ts` does with such an environment, in this process. */
function refusedStart(env: Record<string, string>): { code: number; text: string } {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const log = createLogger({ level: "info", format: "json", write: print });
  try {
    loadConfig({ env, warn: (text) => log.warn(text) });
  } catch (error) {
    const code = reportFailure({ format: "json", log, print }, error);
    return { code, text: lines.join("\n") };
  }
  return { code: 0, text: lines.join("\n") };
}

describe("no output shows a secret", () => {
  const silent = (text: string) => {
    expect(text).not.toContain(secret);
    expect(text).not.toContain("4711471147");
  };

  it.each(hostile)("of a start, given %s", (_, env, expected) => {
    const { code, text } = refusedStart({ ...separateData(), ...env() });
    silent(text);
    expect(text).toMatch(expected);
    expect(code).toBe(2);
  });

  it.each(["a line that is no YAML", "a user of Neo4j"])("of main.ts, given %s", async (what) => {
    const [, env, expected] = hostile.find(([name]) => name === what)!;
    const { code, text } = await run(["main.ts"], env());
    silent(text);
    expect(text).toMatch(expected);
    expect(code).toBe(2);
  });

  it.each(["tools/lag.ts", "tools/demo/main.ts"])("of %s", async (tool) => {
    for (const [, env, expected] of [hostile[0]!, hostile[4]!]) {
      const { code, text } = await run([tool], env());
      silent(text);
      expect(text).toMatch(expected);
      expect(code).not.toBe(0);
    }
  });

  it.each(["main.ts", "tools/lag.ts"])("of %s, refused by the server", async (program) => {
    const wrong = Object.assign(new URL(inject("postgresUrl")), { password: secret });
    const { code, text } = await run([program], { METADATA_POSTGRES_URL: wrong.href });
    silent(text);
    expect(text).toMatch(/password authentication failed/);
    expect(code).toBe(1);
  });

  // What starts a service reads the file too, before there is anything of ours to hide it.
  it.each(["a tag", "an alias", "a line that is no YAML"])(
    "of npm start, given %s",
    async (what) => {
      const [, env, expected] = hostile.find(([name]) => name === what)!;
      const wrapper = ["tools/run.mjs", "service", "ingest-consumer"];
      const { code, text } = await runToEnd("node", wrapper, { ...separateData(), ...env() });
      silent(text);
      expect(text).toMatch(expected);
      expect(code).toBe(2);
    },
  );
});
