import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { runToEnd } from "#test/support/engines/programs.ts";
import { serviceNames } from "./services.mjs";

const deno = "node_modules/deno/deno";
/** As the Job of the Helm chart starts it, with its permissions. */
const containers = JSON.parse(readFileSync("ops/helm/tributary/files/services.json", "utf8"));
const { args } = containers.migrate as { args: string[] };

describe("tools/migrate.ts, as the Job of the Helm chart runs it", () => {
  let test: TestDatabase;
  beforeAll(async () => void (test = await testDatabase()));
  afterAll(() => test.drop());

  const migrate = (env: Record<string, string>) => runToEnd(deno, args, env);

  it("applies what is missing of the schema, and nothing the second time", async () => {
    await test.db.query("DELETE FROM schema_function");
    const env = { METADATA_POSTGRES_URL: test.url, LOG_FORMAT: "json" };
    const [first, second] = [await migrate(env), await migrate(env)];
    expect([first.code, second.code], first.text + second.text).toEqual([0, 0]);
    expect(first.text).toContain('"schema migrated"');
    expect(second.text).not.toContain('"schema migrated"');
    expect(second.text).toContain("schema is current");
  });

  it("fails and names the key when no database is configured", async () => {
    const { code, text } = await migrate({ METADATA_POSTGRES_URL: "" });
    expect(code).toBe(1);
    expect(text).toContain("metadata.postgres.url is not set");
  });
});

it("the chart knows every service of main.ts", () => {
  expect(Object.keys(containers).sort()).toEqual(
    [...serviceNames.filter((name) => name !== "all"), "migrate"].sort(),
  );
});
