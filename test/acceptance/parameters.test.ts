import { expect, it } from "vitest";
import { type Client, journey } from "#test/acceptance/client.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { sampled } from "#test/support/size.ts";

interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  items?: Schema;
  minimum?: number;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Document {
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
}
interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
}

const integers = [-1, 0, 2 ** 31, 2 ** 53].map(String)
  .concat("9223372036854775807", "9223372036854775808", "1e400", "1.5", "0x1f", "-0", "NaN", " 1");
// No client sends addresses over 64 kB.
const texts = [
  "\0",
  "a\0b",
  "\ud800",
  "constructor",
  "__proto__",
  "toString",
  "",
  " ",
  ",".repeat(2_000),
]
  .concat("%", "\\", "'", "😀", "_".repeat(5_000), "x".repeat(60_000));
const times = ["-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00.001Z", "0000-01-01T00:00:00Z"]
  .concat("9999-12-31T23:59:59.999-23:59", "10000-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59");

const someUuid = "00000000-0000-4000-8000-000000000000";

/** What is given for a parameter that is not the one at test. */
function usual({ schema: { type, format, enum: values, minimum } }: Parameter): string {
  if (values) return String(values[0]);
  if (type === "integer") return String(Math.max(1, minimum ?? 1));
  if (format === "date-time") return "2026-01-01T00:00:00Z";
  return format === "uuid" ? someUuid : "x";
}

function odd({ schema }: Parameter): string[] {
  if (schema.format === "date-time") return [...times, ...integers, ...texts];
  return [...integers, ...texts];
}

/** The address of an operation with `value` for one parameter. */
function address({ path, parameters }: Operation, tested: Parameter, value: string): string {
  const pairs: string[] = [];
  let filled = path;
  for (const parameter of parameters) {
    const text = parameter === tested ? value : usual(parameter);
    // Half a surrogate pair cannot be written in an address; these are the bytes that stand for it.
    const encoded = text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
    if (parameter.in === "path") filled = filled.replace(`{${parameter.name}}`, () => encoded);
    else if (parameter === tested || parameter.required) {
      pairs.push(`${parameter.name}=${encoded}`);
    }
  }
  return pairs.length > 0 ? `${filled}?${pairs.join("&")}` : filled;
}

async function operationsOf(client: Client, name: string): Promise<Operation[]> {
  const { paths } = await client.instance.json(`/api/v3/api-docs/${name}`) as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [] }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters.filter((p) => p.in === "path" || p.in === "query"),
    }))
  );
}

/** Answers of 5xx, as `method address: status`; several requests are under way at once. */
async function faults(client: Client, requests: [method: string, address: string][]) {
  const found: string[] = [];
  const waiting = requests.values();
  const one = async () => {
    for (const [method, path] of waiting) {
      const body = method === "GET" || method === "DELETE" ? undefined : "{}";
      const response = await client.instance.send(method, path, body);
      const text = await response.text();
      if (response.status >= 500) {
        found.push(`${method} ${path.slice(0, 200)}: ${response.status} ${text.slice(0, 200)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return found;
}

/** Something with id 1 of each kind that batches make, so that reads come as far as their queries. */
async function fill(client: Client): Promise<string> {
  await client.register("//p");
  const field = { catrn: "//p/t/f", name: "f", type: { type: "TYPE_STRING", is_nullable: true } };
  await client.ingest("//p", {
    catrn: "//p/t",
    name: "t",
    type: "TABLE",
    tags: [{ name: "a" }],
    dataset: { field_list: [field] },
  });
  const entity = await client.id("//p/t");
  const owned = { owner_name: "o", title_name: "t" };
  await client.post(`/api/dataentities/${entity}/ownership`, owned);
  return (await client.post("/api/search", { query: "t", filters: {} })).json.search_id;
}

journey("parameters of every kind", (client) => {
  it.each(["platform-api", "ingestion-api"])("none of %s leads to a 5xx", async (name) => {
    const search = await fill(client());
    const operations = await operationsOf(client(), name);
    const requests = operations.flatMap((operation) =>
      operation.parameters.flatMap((parameter) =>
        odd(parameter).map((value): [string, string] => [
          operation.method,
          address(operation, parameter, value).replace(someUuid, search),
        ])
      )
    );
    expect(requests.length).toBeGreaterThan(50);
    expect(await faults(client(), sampled(requests, 5))).toEqual([]);
  });

  it("no page lies beyond what can be counted", async () => {
    const operations = await operationsOf(client(), "platform-api");
    const paged = operations.filter(({ parameters }) => parameters.some((p) => p.name === "page"));
    const requests = paged.map((operation): [string, string] => {
      const page = operation.parameters.find((p) => p.name === "page")!;
      const path = address(operation, page, String(2 ** 31 - 1)).replace(/size=\d+/, "size=1000");
      return ["GET", path];
    });
    expect(requests.length).toBeGreaterThan(5);
    expect(await faults(client(), requests)).toEqual([]);
  });
}, { sets: setsBySize() });
