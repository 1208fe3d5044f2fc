import { gzipSync } from "node:zlib";
import { type EntityClass, type EntityType, entityTypes } from "#contract/entities.ts";
import { classOfSection, ingestibleTypes, type SectionName } from "#contract/ingestion/schema.ts";
import { Offer } from "../openapi.ts";
import { filled, type FillingName, type InputLocation, locationsOf } from "../locations.ts";
import { send } from "../send.ts";
import { type CostCase, mebibyte, nested } from "./case.ts";

/** The largest body of each route, bytes. */
const sizes: Record<string, number> = {
  postDataEntityList: 20 * mebibyte,
  createDataSource: 20 * mebibyte,
  postDataSetStatsList: 20 * mebibyte,
  ingestMetrics: 20 * mebibyte,
  routeAlerts: 5 * mebibyte,
};
/** Compressed they cost their sender next to nothing. */
const gzip = true;

const offer = Offer.read();
const source = "//hardening/shop";

/** Every ingestion route with every list of its body filled, and what else its reader may choke on. */
export function ingestionCases(): CostCase[] {
  const each = Object.keys(sizes).flatMap((id) => [...placeCases(id), ...rawCases(id)]);
  return [...each, ...partlyWrong()];
}

/** Each list twice: of what is wrong in every element, and of what is sound. */
function placeCases(id: string): CostCase[] {
  const { body } = offer.operation(id);
  const locations = locationsOf(offer, body!);
  const lists = locations.filter(({ kind }) => kind === "list");
  const firstOf = (kind: InputLocation["kind"]) =>
    locations.filter((place) => place.kind === kind).slice(-1);
  const maps = locations.filter(({ kind }) => kind === "map");
  const each = (subset: InputLocation[], filling: FillingName) =>
    subset.map((place, n) => {
      const alike = n > 0 && n < subset.length - 1;
      return { ...caseOf(id, place, filling), alike };
    });
  return [
    ...each(lists, "empty objects"),
    ...each(lists, "sound elements"),
    ...each(maps, "many keys"),
    ...firstOf("text").map((place) => caseOf(id, place, "one long text")),
    ...firstOf("number").map((place) => caseOf(id, place, "one long number")),
  ];
}

function caseOf(id: string, place: InputLocation, filling: FillingName): CostCase {
  return {
    ...routeOf(id, `${filling} in ${place.path}`),
    send: ({ url }) => {
      const body = filled(sound(place), filling, sizes[id]!)!;
      return send(url + offer.operation(id).path, { body, gzip });
    },
  };
}

function routeOf(id: string, what: string): Pick<CostCase, "name" | "declared"> {
  const { method, path, statuses } = offer.operation(id);
  return { name: `${method} ${path}: ${what}`, declared: [...statuses, 413] };
}

/** What is tried at each route, and not at that of entities alone. */
const always = new Set([
  "numbers in place of items",
  "unknown keys",
  "empty objects, eight at once",
]);

/** What is no list of the schema: depth, unknown keys, far too much, eight at once. */
function rawCases(id: string): CostCase[] {
  const size = sizes[id]!;
  const list = id === "routeAlerts" ? "alerts" : "items";
  const path = offer.operation(id).path;
  const raw = (what: string, body: () => string | Uint8Array, times = 1): CostCase => ({
    ...routeOf(id, what),
    alike: id !== "postDataEntityList" && !always.has(what),
    async send({ url }) {
      const sent = {
        body: gzipSync(body(), { level: 1 }),
        headers: { "content-encoding": "gzip" },
      };
      const all = await Promise.all(Array.from({ length: times }, () => send(url + path, sent)));
      return all.toSorted((a, b) => b.status - a.status)[0]!;
    },
  });
  const repeated = (unit: string, bytes = size - 100) =>
    unit.repeat(Math.floor(bytes / unit.length)).replace(/,$/, "");
  return [
    raw("numbers in place of items", () => `{"${list}":[${repeated("0,")}]}`),
    raw("nested to the limit of size", () => `{"${list}":[${nested(size / 2 - 100)}]}`),
    raw("deep items", () => `{"${list}":[${repeated(`${nested(90)},`)}]}`),
    raw("the same key again and again", () => `{${repeated(`"${list}":0,`)}}`),
    raw("unknown keys", () => `{"x":{${repeated(`"oddrn":{"a":null},`)}},"${list}":[]}`),
    raw("numbers of 17 digits", () => `{"${list}":[{"x":[${repeated("12345678901234567,")}]}]}`),
    raw("escapes", () => `{"${list}":["${repeated("\\u0000")}"]}`),
    raw("200 MB of blanks", () => new Uint8Array(200 * mebibyte).fill(0x20)),
    raw("empty objects, eight at once", () => `{"${list}":[${repeated("{},")}]}`, 8),
  ];
}

/** Batches that are taken for their last item, while every other is evaluated and refused. */
function partlyWrong(): CostCase[] {
  const id = "postDataEntityList";
  const last = '{"catrn":"//hardening/last","name":"l","type":"FILE","dataset":{"field_list":[]}}';
  const batch = (what: string, wrong: string, count: number, times = 1): CostCase => ({
    ...routeOf(id, `${what} before a sound one`),
    declared: [200],
    async send({ url }) {
      const items = `${wrong},`.repeat(count);
      const body = `{"data_source_catrn":"${source}","items":[${items}${last}]}`;
      const post = () => send(url + offer.operation(id).path, { body, gzip });
      const all = await Promise.all(Array.from({ length: times }, post));
      return all.toSorted((a, b) => b.status - a.status)[0]!;
    },
  });
  const fields = `{"catrn":"a","name":"a","type":"TABLE","dataset":{"field_list":[${
    Array(100).fill("{}").join()
  }]}}`;
  const nul = '{"catrn":"a","name":"\\u0000","type":"TABLE","dataset":{"field_list":[]}}';
  return [
    batch("as many empty items as may be", "{}", 299_999),
    batch("20,000 empty items in a small body, eight at once,", "{}", 20_000, 8),
    batch("items without a part", '{"catrn":"a","name":"a","type":"TABLE"}', 290_000),
    batch("items of a hundred wrong fields", fields, 9_500),
    batch("items that no store holds", nul, 200_000),
  ];
}

/** The same place in a body that is sound but for what fills it: a known source, a fitting type. */
function sound(place: InputLocation): InputLocation {
  const part = /^items\[\]\.(\w+)/.exec(place.path)?.[1] ?? "";
  const before = place.before.replace('"data_source_catrn":"x"', `"data_source_catrn":"${source}"`)
    .replace('"catrn":"x"', '"catrn":"//hardening/worst"');
  if (!(part in classOfSection)) return { ...place, before };
  return { ...place, before: before.replace('"type":"TABLE"', `"type":"${typeFor(part)}"`) };
}

function typeFor(part: string): EntityType {
  const wanted: EntityClass = classOfSection[part as SectionName];
  const fits = (type: EntityType) =>
    (entityTypes[type].classes as readonly EntityClass[]).includes(wanted);
  return ingestibleTypes.find(fits)!;
}
