import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { Config } from "#platform/config/schema.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

const examples = ["docs/use/quality.md", "docs/use/column-lineage.md"].flatMap((file) =>
  examplesOf(readFileSync(file, "utf8")).map((example) => [file, example.title, example] as const)
);

let instance: Instance;
beforeAll(async () => void (instance = await startInstance("embedded")));
afterAll(() => instance?.stop());

it.each(examples)(
  "%s shows what really comes: %s",
  async (_file, _title, { command, output }) => {
    expect(await outputOf(command.replaceAll("http://127.0.0.1:8080", instance.url), {}))
      .toBe(output);
  },
);

it("docs/use/questions.md shows a configuration that is one", () => {
  const text = /```yaml\n([^]*?)```/.exec(readFileSync("docs/use/questions.md", "utf8"))![1]!;
  expect(Config.parse(parse(text)).genai).toMatchObject({ enabled: true, request_timeout: 2 });
});
