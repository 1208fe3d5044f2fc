import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

const examples = examplesOf(readFileSync("docs/use/query-examples.md", "utf8"));

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance("embedded", { services: [apiService, ingestConsumerService] });
});
afterAll(() => instance?.stop());

it("marks its commands for this test", () => expect(examples).toHaveLength(2));

it.each(examples.map((e) => [e.title, e] as const))(
  "shows what really comes: %s",
  async (_, { command, output }) => {
    expect(await outputOf(command.replaceAll("http://127.0.0.1:8080", instance.url))).toBe(output);
  },
);
