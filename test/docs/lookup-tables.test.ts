import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

let instance: Instance;
beforeAll(async () =>
  void (instance = await startInstance("embedded", { services: [apiService] }))
);
afterAll(() => instance?.stop());

describe("docs/use/lookup-tables.md", () => {
  const examples = examplesOf(readFileSync("docs/use/lookup-tables.md", "utf8"));

  it("marks its commands for this test", () => expect(examples).toHaveLength(2));

  it.each(examples.map((e) => [e.title, e] as const))(
    "shows what really comes: %s",
    async (_, { command, output }) => {
      const script = command.replaceAll("http://127.0.0.1:8080", instance.url);
      expect(await outputOf(script)).toBe(output);
    },
  );
});
