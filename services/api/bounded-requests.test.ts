import { describe, expect, it } from "vitest";
import { publishedDocuments } from "./openapi.ts";

type Node = Record<string, unknown>;
interface Operation {
  requestBody?: Node;
  parameters?: { name: string; schema: Node }[];
}

/** Places of a request that accept unlimited values: lists and integers without a limit, and maps with free keys. */
function unbounded(document: Node): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach((one, i) => visit(one, `${place}/${i}`));
    const schema = node as Node;
    if (typeof schema.$ref === "string") {
      const name = schema.$ref.split("/").at(-1)!;
      const { schemas } = document.components as { schemas: Node };
      if (seen.has(schemas[name])) return;
      seen.add(schemas[name]);
      return visit(schemas[name], name);
    }
    const types = [schema.type].flat();
    if (types.includes("array") && schema.maxItems === undefined) found.push(place);
    if (types.includes("integer") && schema.maximum === undefined) found.push(place);
    if (schema.additionalProperties && schema.maxProperties === undefined) found.push(place);
    for (const [key, value] of Object.entries(schema)) visit(value, `${place}/${key}`);
  };
  for (const [path, operations] of Object.entries(document.paths as Record<string, Node>)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      visit(operation.requestBody, `${method} ${path}`);
      for (const { name, schema } of operation.parameters ?? []) {
        visit(schema, `${method} ${path} ${name}`);
      }
    }
  }
  return found;
}

describe("what requests may hold", () => {
  it.each(Object.entries(publishedDocuments()))("is bounded everywhere: %s", (_, document) => {
    expect(unbounded(document)).toEqual([]);
  });

  it("is seen by this test", () => {
    const list = { type: ["array", "null"], items: { type: "string" } };
    const body = {
      content: { "application/json": { schema: { $ref: "#/components/schemas/A" } } },
    };
    const document = {
      paths: { "/x": { post: { requestBody: body, parameters: [{ name: "q", schema: list }] } } },
      components: {
        schemas: {
          A: { properties: { m: { additionalProperties: {} }, l: list, n: { type: "integer" } } },
        },
      },
    };
    expect(unbounded(document))
      .toEqual(["A/properties/m", "A/properties/l", "A/properties/n", "post /x q"]);
  });
});
