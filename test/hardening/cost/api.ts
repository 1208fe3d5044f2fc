import { Offer, type Operation } from "../openapi.ts";
import { filled, type FillingName, locationsOf } from "../locations.ts";
import { send, type ServerResponse } from "../send.ts";
import type { Subject } from "../subject.ts";
import { attachmentCases } from "./attachments.ts";
import { type CostCase, mebibyte, nested } from "./case.ts";
import { lookupTableCases } from "./lookup-tables.ts";
import { mcpCases } from "./mcp.ts";
import { policyCases } from "./policies.ts";

/** The largest body of `/api`, bytes. */
const size = 5 * mebibyte - 64;
const offer = Offer.read();

/** Every body of `/api` with its lists filled, and searches as long as they may be. */
export function apiCases(): CostCase[] {
  const bodied = offer.operations.filter(({ path, body }) => path.startsWith("/api/") && body);
  return [
    ...bodied.flatMap(placeCases),
    ...bodied.slice(0, 1).flatMap(rawCases),
    longQueries(),
    ...searchCases(),
    ...policyCases(),
    ...lookupTableCases(),
    ...attachmentCases(),
    ...mcpCases(),
    inventedMethods(),
  ];
}

/** The path with an id that nothing has; searches need one that there is. */
const pathOf = ({ path }: Operation) =>
  path.replace("{search_id}", "0190a5b0-0000-7000-8000-000000000000")
    .replace(/\{\w+\}/g, "999999999");

function placeCases(operation: Operation): CostCase[] {
  const locations = locationsOf(offer, operation.body!);
  const cases = (kind: string, filling: FillingName, max: number) =>
    locations.filter((place) => place.kind === kind).slice(0, max).map((place): CostCase => ({
      name: `${operation.method} ${operation.path}: ${filling} in ${place.path}`,
      declared: [...operation.statuses, 413],
      // One reader parses and validates all of them; what a handler does with sound elements differs.
      alike: operation.method === "PUT" ||
        (filling !== "sound elements" && operation.id !== "registerDataSource"),
      send: ({ url }) => {
        const { method } = operation;
        return send(url + pathOf(operation), { method, body: filled(place, filling, size)! });
      },
    }));
  // The facets of a search are alike.
  return [
    ...cases("list", "empty objects", 1),
    ...cases("list", "sound elements", 1),
    ...cases("text", "one long text", 1),
  ];
}

function rawCases(operation: Operation): CostCase[] {
  const { method, path, statuses } = operation;
  const bodies: [string, string][] = [
    ["nested to the limit of size", nested(size / 2)],
    ["nested objects", nested(Math.floor(size / 6), '{"a":', "}").replace(":}", ":0}")],
    ["many keys", `{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":0`).join()}}`],
    ["keys to be translated", `{"x":[${'{"oddrn":0},'.repeat(size / 13).slice(0, -1)}]}`],
  ];
  return bodies.map(([what, body]) => ({
    name: `${method} ${path}: ${what}`,
    declared: [...statuses, 413],
    send: ({ url }) => send(url + pathOf(operation), { method, body }),
  }));
}

/** Every text in a query string as long as a request line may be. */
function longQueries(): CostCase {
  const reads = offer.operations.filter(({ method }) => method === "GET");
  return {
    name: "GET: every query with 12 kB of words",
    async send({ url }) {
      let worst: ServerResponse = { status: 200, text: "", headers: new Headers() };
      for (const operation of reads) {
        const query = new URLSearchParams();
        for (const { name, in: place, schema } of operation.parameters) {
          const known = offer.resolved(schema);
          if (place === "query" && known.type === "string" && !known.enum && !known.format) {
            query.set(name, "a b-C_d%".repeat(1_000));
          } else if (place === "query") query.set(name, String(offer.example(schema, true)));
        }
        const response = await send(`${url}${pathOf(operation)}?${query}`, { method: "GET" });
        if (response.status === 0 || response.status > worst.status) worst = response;
      }
      return worst;
    },
  };
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}x`).join(" ");

async function startSearch({ url }: Subject, query: string) {
  const body = JSON.stringify({ query, filters: {} });
  const response = await send(`${url}/api/search`, { body });
  return {
    response,
    id: response.status === 200 ? JSON.parse(response.text).search_id as string : "",
  };
}

function searchCases(): CostCase[] {
  const queries: [string, string][] = [
    ["a word of 100,000 letters", "a".repeat(100_000)],
    ["100,000 characters of words", words(20_000).slice(0, 100_000)],
    ["100,000 capitals", "aA".repeat(50_000)],
    ["100,000 marks", "'&|!:*()<->".repeat(9_000)],
  ];
  return [
    ...queries.map(([what, query]): CostCase => ({
      name: `search: ${what}, with its highlights in a large entity`,
      async send(subject) {
        const entity = await largeEntity(subject);
        const { response, id } = await startSearch(subject, query);
        const search = `${subject.url}/api/search/${id}`;
        if (!id) return response;
        await send(`${search}/results?page=1&size=30`, { method: "GET" });
        await send(`${search}/facet/tags?page=1&size=30`, { method: "GET" });
        return await send(`${search}/data_entities/${entity}/highlights`, { method: "GET" });
      },
    })),
    {
      name: "search: a session that grows by 8,000 values with each of 30 changes",
      async send(subject) {
        const { response, id } = await startSearch(subject, "");
        if (!id) return response;
        const facets = ["types", "entity_classes", "tags", "namespaces", "owners", "datasources"];
        for (let round = 0; round < 30; round++) {
          const chosen = Array.from({ length: 1_000 }, (_, n) => ({
            entity_id: 1_000_000 + round * 1_000 + n,
            entity_name: "n".repeat(80),
            selected: true,
          }));
          const filters = Object.fromEntries(facets.map((facet) => [facet, chosen]));
          const body = JSON.stringify({ filters });
          await send(`${subject.url}/api/search/${id}`, { method: "PUT", body });
        }
        const stored = await send(`${subject.url}/api/search/${id}`, { method: "GET" });
        if (stored.text.length <= mebibyte * 2) return stored;
        return {
          ...stored,
          status: 0,
          text: `the session has grown to ${stored.text.length} bytes`,
        };
      },
    },
  ];
}

/** Id of an entity with much text in many places. */
async function largeEntity(subject: Subject): Promise<number> {
  const catrn = "//hardening/shop/large";
  const text = words(40_000);
  const field_list = Array.from({ length: 300 }, (_, n) => ({
    catrn: `${catrn}/${n}`,
    name: `w${n}xField`,
    description: text.slice(0, 1_000),
    type: { type: "TYPE_STRING", is_nullable: true },
  }));
  const item = { catrn, name: "large", type: "TABLE", description: text, dataset: { field_list } };
  const body = JSON.stringify({ data_source_catrn: "//hardening/shop", items: [item] });
  const response = await send(`${subject.url}/ingestion/entities`, { body });
  if (response.status !== 200) throw new Error(`not posted: ${response.status} ${response.text}`);
  return await subject.shop.id("large");
}

/** What clients invent must not stay in the metrics. */
function inventedMethods(): CostCase {
  return {
    name: "metrics: 1,000 invented methods and paths",
    async send({ url }) {
      const read = () => send(`${url}/metrics`, { method: "GET" });
      const before = (await read()).text.length;
      for (let n = 0; n < 1_000; n++) {
        const method = `M${n}${"X".repeat(n % 2 === 0 ? 0 : 2_000)}`;
        await send(`${url}/api/p${n}/${"y".repeat(n)}`, { method });
      }
      const metrics = await read();
      const grown = metrics.text.length - before;
      if (grown < 32_768) return metrics;
      return { ...metrics, status: 0, text: `/metrics has grown by ${grown} characters` };
    },
  };
}
