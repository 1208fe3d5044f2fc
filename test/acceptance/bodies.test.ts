import { expect, it } from "vitest";
import { type Client, journey } from "#test/acceptance/client.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { sampled } from "#test/support/size.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** As JSON, since not all of it can be held by a value. */
const odd = ["-1", "0", "2147483648", "9007199254740993", "9223372036854775808", "1e400", "0.5"]
  .concat("true", "null", "[]", "{}", '{"__proto__":{"a":1}}', '"\\u0000"', '"a\\u0000b"')
  .concat('"\\ud800"', '"constructor"', '"__proto__"', '""', '"+275760-09-13T00:00:00.001Z"')
  .concat('"0000-01-01T00:00:00Z"', JSON.stringify("x".repeat(100_000)), "[".repeat(5_000));

const deepest = 6;

/** Bodies of a schema in which one place after the other is the text `hole`. */
function* holed(document: Document, given: Schema, depth = 0): Generator<string> {
  const schema = resolved(document, given);
  yield hole;
  if (depth === deepest) return;
  if (schema.items) {
    for (const inner of holed(document, schema.items, depth + 1)) yield `[${inner}]`;
  }
  const properties = Object.entries(schema.properties ?? {});
  for (const [name, property] of properties) {
    for (const inner of holed(document, property, depth + 1)) {
      const members = properties.map(([other, schema]) => {
        const value = other === name ? inner : usual(document, schema, depth + 1);
        return `${JSON.stringify(other)}:${value}`;
      });
      yield `{${members.join(",")}}`;
    }
  }
}
const hole = "\u0001";

function resolved(document: Document, schema: Schema): Schema {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1)!;
    return resolved(document, document.components?.schemas?.[name] ?? {});
  }
  const parts = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  return parts ? { ...schema, ...resolved(document, parts[0]!) } : schema;
}

/** A value that a schema takes, as JSON. */
function usual(document: Document, given: Schema, depth: number): string {
  const schema = resolved(document, given);
  if (schema.enum) return JSON.stringify(schema.enum[0]);
  const type = [schema.type].flat()[0];
  if (type === "integer" || type === "number") return "1";
  if (type === "boolean") return "true";
  if (type === "array") {
    return depth < deepest ? `[${usual(document, schema.items ?? {}, depth + 1)}]` : "[]";
  }
  if (schema.format === "date-time") return '"2030-01-01T00:00:00Z"';
  if (type === "string") return '"x"';
  if (depth >= deepest) return "{}";
  const members = Object.entries(schema.properties ?? {})
    .map(([name, property]) => `${JSON.stringify(name)}:${usual(document, property, depth + 1)}`);
  return `{${members.join(",")}}`;
}

async function requestsOf(client: Client, name: string): Promise<[string, string, string][]> {
  const { json: { search_id: search } } = await client.post("/api/search", { filters: {} });
  const document = await client.instance.json(`/api/v3/api-docs/${name}`) as Document;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      if (!schema) return [];
      const address = path.replace("{search_id}", search).replace(/\{\w+\}/g, "1");
      return [...new Set(holed(document, schema))].flatMap((body) =>
        odd.map((value): [string, string, string] => [
          method.toUpperCase(),
          address,
          body.replace(hole, () => value),
        ])
      );
    })
  );
}

/** The published interface answers 500 to ingestion of a data source that is not registered. */
function isPublished(path: string, text: string): boolean {
  return path.startsWith("/ingestion/") && text.includes("is not known; register it first");
}

journey("bodies of every kind", (client) => {
  it.each(["platform-api", "ingestion-api"])("none of %s leads to a 5xx", async (name) => {
    // No divisor of the number of odd values: each of them is sent.
    const requests = sampled(await requestsOf(client(), name), 5);
    expect(requests.length).toBeGreaterThan(100);
    const found: string[] = [];
    const waiting = requests.values();
    const one = async () => {
      for (const [method, path, body] of waiting) {
        const response = await client().instance.send(method, path, body);
        const text = await response.text();
        if (response.status < 500 || isPublished(path, text)) continue;
        found.push(
          `${method} ${path} ${body.slice(0, 200)}: ${response.status} ${text.slice(0, 200)}`,
        );
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    expect(found).toEqual([]);
  });
}, { sets: setsBySize() });
