import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import {
  engineConfig,
  engineSets,
  type Instance,
  startInstance,
} from "#test/support/engines/instance.ts";
import { runToEnd } from "#test/support/engines/programs.ts";
import { sampled } from "#test/support/size.ts";

const text = readFileSync("docs/operate/operations.md", "utf8");

/** Every command of the page in its order, each once. */
const commands = [...new Set([...text.matchAll(/`(npm run [^`]+)`/g)].map(([, one]) => one!))];

const folder = mkdtempSync(join(tmpdir(), "tributary-operations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command with values for its places. */
const filledIn = (command: string) =>
  command.replace("<name>", "orders").replace("<directory>", join(folder, crypto.randomUUID()));

/** The table that says of each command what it does and how long it takes. */
const table = text.split("## Every command")[1]!;

/** Commands of the page for a container, by those of npm. */
const inContainer = [
  ...text.matchAll(/^\| `(npm run [^`]+)` \| `docker compose exec ([^`]+)` \|$/gm),
]
  .map(([, npm, container]) => [npm!, container!] as const);

describe("docs/operate/operations.md", () => {
  it("tells of every tool how to run it in a container, as the image starts it", () => {
    const tools = new Set(commands.map((command) => command.split(" ")[2]));
    expect(new Set(inContainer.map(([npm]) => npm.split(" ")[2]))).toEqual(tools);
    for (const [npm, container] of inContainer) {
      const tool = npm.split(" ")[2];
      expect(container).toBe(`api ${withoutNpm(npm)}`);
      expect(existsSync(`tools/${tool}.ts`)).toBe(true);
    }
  });

  it.each(commands)("tells in its table what this does: %s", (command) => {
    expect(table).toContain(`| \`${command}\` |`);
  });
});

describe.each(engineSets())("commands of docs/operate/operations.md, %s engines", (set) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance(set, { services: [apiService, ingestConsumerService] });
  });
  afterAll(() => instance?.stop());

  // Beside the distributed engines as in a container, which has no npm.
  const forms = set === "embedded" ? commands : sampled(commands.map(withoutNpm), 4);
  it.each(forms)("works beside an instance: %s", async (command) => {
    const [program, ...args] = filledIn(command).split(" ");
    const { code, text } = await runToEnd(program!, args, {
      INSTANCE: instance.test.name,
      METADATA_POSTGRES_URL: instance.test.url,
      ...environment(engineConfig(set)),
    });
    expect(code, text).toBe(0);
    expect(text.trim()).not.toBe("");
  });
});

/** A command of npm as it is run in a container. */
function withoutNpm(command: string): string {
  const [, , tool, , ...args] = command.split(" ");
  return ["node_modules/deno/deno", "run", "-A", `tools/${tool}.ts`, ...args].join(" ");
}

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
