import { readFileSync } from "node:fs";
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

const text = readFileSync("docs/operations.md", "utf8");

/** Every command of the page in its order, each once. */
const commands = [...new Set([...text.matchAll(/`(npm run [^`]+)`/g)].map(([, one]) => one!))];

/** The table that says of each command what it does and how long it takes. */
const table = text.split("## Every command")[1]!;

describe("docs/operations.md", () => {
  it.each(commands)("tells in its table what this does: %s", (command) => {
    expect(table).toContain(`| \`${command}\` |`);
  });
});

describe.each(engineSets())("commands of docs/operations.md, %s engines", (set) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance(set, { services: [apiService, ingestConsumerService] });
  });
  afterAll(() => instance?.stop());

  it.each(commands)("works beside an instance: %s", async (command) => {
    const [npm, ...args] = command.replace("<name>", "orders").split(" ");
    const { code, text } = await runToEnd(npm!, args, {
      INSTANCE: instance.test.name,
      METADATA_POSTGRES_URL: instance.test.url,
      ...environment(engineConfig(set)),
    });
    expect(code, text).toBe(0);
    expect(text.trim()).not.toBe("");
  });
});

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
