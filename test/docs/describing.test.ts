import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

let instance: Instance;
beforeAll(async () => void (instance = await startInstance("embedded")));
afterAll(() => instance?.stop());

/** Id of the table that the first example posts; empty before. */
async function orders(): Promise<string> {
  const list = await instance.json("/api/dataentities?page=1&size=9&query=orders");
  const { items } = list as { items: { id: number; external_name: string }[] };
  return String(items.find((item) => item.external_name === "orders")?.id ?? "");
}

describe("docs/use/describing.md", () => {
  const examples = examplesOf(readFileSync("docs/use/describing.md", "utf8"));

  it("marks its commands for this test", () => expect(examples).toHaveLength(4));

  it.each(examples.map((e) => [e.title, e] as const))(
    "shows what really comes: %s",
    async (_, { command, output }) => {
      const script = command.replaceAll("http://127.0.0.1:8080", instance.url);
      expect(await outputOf(script, { ORDERS: await orders() })).toBe(output);
    },
  );
});
