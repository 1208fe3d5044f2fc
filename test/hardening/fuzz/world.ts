import { readFileSync } from "node:fs";
import { classOfSection, ingestibleTypes, sectionNames } from "#contract/ingestion/schema.ts";
import { entityTypes } from "#contract/entities.ts";
import { Offer } from "../openapi.ts";
import { send } from "../send.ts";
import type { Subject } from "../subject.ts";
import { type KnownIds, makeOneOfEach, type SendRequest, startSearches } from "./known-ids.ts";

/** What there is in a catalogue for inputs to refer to. */
export interface FuzzWorld {
  subject: Subject;
  offer: Offer;
  /** Of entities, sources, collectors, namespaces, owners, tags, fields, query examples: ids that calls may ill-treat. */
  ids: string[];
  /** Ids by the name of the path parameter. */
  known: KnownIds;
  /** A search of each family, by the path that starts one. */
  searches: Map<string, string>;
  /** Id of an entity that nothing but files are uploaded to. */
  filed: string;
  /** Ids that nobody may touch, since the known answer hangs on them. */
  protectedIds: Set<string>;
}

export const source = "//fuzz/source";
const table = `${source}/table`;

/** A table with a field, for statistics and metrics to hang on. */
const tableItem = {
  catrn: table,
  name: "table",
  type: "TABLE",
  dataset: {
    field_list: [{
      catrn: `${table}/field`,
      name: "field",
      type: { type: "TYPE_STRING", is_nullable: true },
    }],
  },
};

const filedSource = "//filed/source";

/** Registers sources and posts what inputs refer to. */
export async function prepare(subject: Subject): Promise<FuzzWorld> {
  const offer = Offer.read();
  const ask: SendRequest = async (method, path, given) => {
    const body = given === undefined ? undefined : JSON.stringify(given);
    const response = await send(subject.url + path, { method, body });
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.text === "" ? null : JSON.parse(response.text);
  };
  const post = (path: string, body: unknown) => ask("POST", path, body);
  const example = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../../docs/examples/${name}`, import.meta.url), "utf8"));
  await post("/ingestion/datasources", { items: [{ catrn: source, name: "fuzz" }] });
  await post("/ingestion/datasources", example("shop-source.json"));
  await post("/ingestion/entities", example("shop-batch.json"));
  await post("/ingestion/entities", example("shop-columns.json"));
  await post("/ingestion/entities", { data_source_catrn: source, items: [tableItem] });
  await post("/ingestion/datasources", { items: [{ catrn: filedSource, name: "filed" }] });
  const filedItem = { ...tableItem, catrn: `${filedSource}/table`, dataset: { field_list: [] } };
  await post("/ingestion/entities", { data_source_catrn: filedSource, items: [filedItem] });
  const namespace = await post("/api/namespaces", { name: "fuzz" });
  const collector = await post("/api/collectors", { name: "fuzz" });
  const owner = await post("/api/owners", { name: "fuzz" });
  const [tag] = await post("/api/tags", [{ name: "fuzz" }]);
  const queryExample = await post("/api/queryexample", { definition: "fuzz", query: "SELECT 1" });
  const protectedIds = await protectedIdsOf(subject);
  const { db } = await subject.openContext();
  const rows = await db.query<{ id: number }>(
    `SELECT id FROM data_entity WHERE catrn LIKE '//fuzz/%' OR catrn LIKE '//postgresql/%'
     UNION SELECT id FROM dataset_field WHERE catrn LIKE '//fuzz/%'`,
  );
  const ids = [...rows, namespace, collector, owner, tag, queryExample]
    .map(({ id }) => String(id))
    .filter((id) => !protectedIds.has(id));
  const idOf = async (catrn: string) =>
    (await db.query<{ id: number }>("SELECT id FROM data_entity WHERE catrn = $1", [catrn]))[0]!.id;
  const known = await makeOneOfEach(ask, await idOf(table));
  const filed = String(await idOf(filedItem.catrn));
  return { subject, offer, ids, known, searches: await startSearches(ask), filed, protectedIds };
}

async function protectedIdsOf(subject: Subject): Promise<Set<string>> {
  const { db } = await subject.openContext();
  const rows = await db.query<{ id: number }>(
    `SELECT id FROM data_entity WHERE catrn LIKE '//hardening/%'
     UNION SELECT id FROM data_source WHERE catrn LIKE '//hardening/%'`,
  );
  return new Set(rows.map(({ id }) => String(id)));
}

/** What a router of alerts posts. */
const alerts = {
  version: "4",
  alerts: [{
    status: "firing",
    labels: { alertname: "Skew", entity_catrn: table },
    startsAt: "2026-05-01T11:00:00Z",
    endsAt: "0001-01-01T00:00:00Z",
    generatorURL: "http://prometheus/graph?g0.expr=up",
    fingerprint: "f",
  }],
};

/** Sound bodies of each ingestion route, by its operation. */
export function ingestionSeeds(offer: Offer): Record<string, unknown[]> {
  const whole = (id: string) => offer.example(offer.operation(id).body!, true) as Items;
  const entities = whole("postDataEntityList").items[0]!;
  const base = Object.fromEntries(
    Object.entries(entities).filter(([key]) => !(key in classOfSection)),
  );
  const items = sectionNames.map((section, n) => {
    const type = ingestibleTypes.find((name) =>
      (entityTypes[name].classes as readonly string[]).includes(classOfSection[section])
    );
    return { ...base, catrn: `${source}/${n}`, type, [section]: entities[section] };
  });
  const statistics = whole("postDataSetStatsList");
  const field = Object.values(statistics.items[0]!.fields ?? {})[0] ??
    offer.example({ $ref: "#/components/schemas/DataSetFieldStat" }, true);
  const named = (id: string) => {
    const body = whole(id);
    return { items: body.items.map((item) => ({ ...item, catrn: table })) };
  };
  return {
    postDataEntityList: [
      { data_source_catrn: source, items },
      ...items.map((item) => ({ data_source_catrn: source, items: [item] })),
      { data_source_catrn: source, items: [tableItem] },
    ],
    createDataSource: [{ items: [{ catrn: `${source}/other`, name: "o", description: "d" }] }],
    postDataSetStatsList: [
      { items: [{ dataset_catrn: table, fields: { [`${table}/field`]: field } }] },
    ],
    ingestMetrics: [named("ingestMetrics")],
    routeAlerts: [alerts],
    routeAlertsOfAlertmanager: [alerts],
  };
}

interface Items {
  items: Record<string, unknown>[] & { fields?: Record<string, unknown> }[];
}
