import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { Config } from "#platform/config/schema.ts";
import { apiService } from "#services/api/service.ts";
import { datahubService } from "#services/datahub/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

const text = readFileSync("docs/integrate/datahub.md", "utf8");

let instance: Instance;
beforeAll(async () => {
  const services = [apiService, ingestConsumerService, datahubService];
  instance = await startInstance("embedded", { services });
});
afterAll(() => instance?.stop());

it.each(examplesOf(text).map((e) => [e.title, e] as const))(
  "docs/integrate/datahub.md shows what really comes: %s",
  async (_, { command, output }) => {
    expect(await outputOf(command.replaceAll("http://127.0.0.1:8080", instance.url), {}))
      .toBe(output);
  },
);

it("docs/integrate/datahub.md shows configurations that are ones", () => {
  const configs = [...text.matchAll(/```yaml config\n([^]*?)```/g)]
    .map(([, yaml]) => Config.parse({ instance: "x", ...parse(yaml!.replace(/^ {3}/gm, "")) }));
  const [kafka, hosts] = configs.map(({ datahub }) => datahub);
  expect(kafka!.kafka.brokers).toBe("kafka:9092");
  expect(hosts!.hosts.get("postgres/eu")).toBe("db.eu.example");
});
