import { beforeAll, expect, test } from "vitest";
import {
  DataEntityRelationshipDetails,
  DataEntityRelationshipDetailsList,
  DataEntityRelationshipList,
} from "#contract/catalogue/entity.ts";
import { relationshipRoutes } from "#services/api/features/relationships/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(relationshipRoutes);
const ids: Record<string, number> = {};
const rows: Record<string, number> = {};

async function relate(
  key: string,
  kind: "ERD" | "GRAPH",
  name: string,
  given: Partial<dataset.SeedRelationship> & seed.SeedEntity = {},
) {
  const type = kind === "ERD" ? "ENTITY_RELATIONSHIP" : "GRAPH_RELATIONSHIP";
  const { source = ids.orders!, target = ids.users!, hollow, status, excluded } = given;
  const { attributes, pairs, cardinality, identifying, directed } = given;
  const entity = { type, name, sourceId: ids.source!, hollow, status, excluded } as const;
  ids[key] = await seed.seedEntity(database.db, entity);
  const relationship = { kind, source, target, attributes, pairs, cardinality };
  rows[key] = await dataset.seedRelationship(database.db, ids[key], {
    ...relationship,
    identifying,
    directed,
  });
}

beforeAll(async () => {
  const { db } = database;
  ids.source = await seed.seedSource(db);
  ids.orders = await seed.seedEntity(db, { name: "orders" });
  ids.users = await seed.seedEntity(db, { name: "users" });
  ids.nobody = await seed.seedEntity(db, { hollow: true });
  ids.field = await dataset.seedField(db, ids.orders, { catrn: "//orders/user" });
  await relate("placed", "ERD", "placed_by", {
    pairs: [["//orders/user", "//users/id"], ["//orders/x", "//users/y"]],
    cardinality: "ONE_TO_EXACTLY_ONE",
    identifying: true,
  });
  await relate("knows", "GRAPH", "Knows 100%", {
    source: ids.users,
    target: ids.users,
    directed: true,
    attributes: { since: 2020, note: "close", none: null, deep: { a: [1] } },
  });
  await relate("gone", "ERD", "placed long ago", { status: 5 });
  await relate("excluded", "GRAPH", "excluded", { excluded: true });
  await relate("hollow", "GRAPH", "hollow", { hollow: true });
  await relate("open", "ERD", "PLACED_AGAIN", { target: ids.nobody });
});

const idsOf = (items: { id: number }[]) => items.map((item) => item.id);
async function list(query: string) {
  const answer = await api.get(`/api/relationships?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return DataEntityRelationshipList.parse(answer.json);
}

test("getRelationships 200: in order of id, without deleted, hollow and excluded ones", async () => {
  const all = await list("page=1&size=10&type=ALL");
  expect(idsOf(all.items)).toEqual([ids.placed, ids.knows, ids.open]);
  expect(all.page_info).toEqual({ total: 3, hasNext: false });
  expect(all.items[0]).toMatchObject({
    name: "placed_by",
    type: "ENTITY_RELATIONSHIP",
    source_data_entity: { id: ids.orders },
    target_data_entity: { id: ids.users },
    data_source: { id: ids.source },
  });
  expect(all.items[1]!.type).toBe("GRAPH_RELATIONSHIP");
});

test("getRelationships 200: the kind is chosen before pages are cut", async () => {
  const second = await list("page=2&size=1&type=ERD");
  expect(idsOf(second.items)).toEqual([ids.open]);
  expect(second.page_info).toEqual({ total: 2, hasNext: false });
  expect(idsOf((await list("page=1&size=1&type=GRAPH")).items)).toEqual([ids.knows]);
});

test("getRelationships 200: query is a part of its own name, letter by letter, any case", async () => {
  expect(idsOf((await list("page=1&size=9&type=ALL&query=placed")).items)).toEqual([
    ids.placed,
    ids.open,
  ]);
  expect(idsOf((await list("page=1&size=9&type=ALL&query=0%25")).items)).toEqual([ids.knows]);
  expect((await list("page=1&size=9&type=ALL&query=%25d%25a")).items).toEqual([]);
  expect((await list("page=1&size=9&type=ALL&query=orders")).items).toEqual([]);
  expect((await list("page=1&size=9&type=ALL&query=%5C")).items).toEqual([]);
});

test("getRelationships 400: type and paging are required", async () => {
  for (const query of ["page=1&size=1", "page=1&size=1&type=X", "type=ALL"]) {
    expect((await api.get(`/api/relationships?${query}`)).status).toBe(400);
  }
});

test("getERDRelationshipById 200: pairs by index, ids of catalogued fields", async () => {
  const answer = await api.get(`/api/relationships/erd/${ids.placed}`);
  expect(answer.status).toBe(200);
  const details = DataEntityRelationshipDetails.parse(answer.json);
  expect(details.graph_relationship).toBeNull();
  expect(details.erd_relationship).toEqual({
    erd_relationship_id: rows.placed,
    is_identifying: true,
    cardinality: "ONE_TO_EXACTLY_ONE",
    fields_pairs: [
      {
        source_dataset_field_id: ids.field,
        source_dataset_field_catrn: "//orders/user",
        target_dataset_field_id: null,
        target_dataset_field_catrn: "//users/id",
      },
      {
        source_dataset_field_id: null,
        source_dataset_field_catrn: "//orders/x",
        target_dataset_field_id: null,
        target_dataset_field_catrn: "//users/y",
      },
    ],
  });
});

test("details 200: carry the owners of the relationship, of both kinds and in the list of a dataset", async () => {
  const expected = [{ owner: { name: "Data team" }, title: { name: "Steward" } }];
  for (const [kind, key] of [["erd", "placed"], ["graph", "knows"]] as const) {
    await seed.seedOwnership(database.db, ids[key]!, "Data team", "Steward");
    const { json } = await api.get(`/api/relationships/${kind}/${ids[key]}`);
    expect(json.ownership).toMatchObject(expected);
  }
  const ofDataset = await api.get(`/api/datasets/${ids.orders}/relationships?type=ERD`);
  expect(ofDataset.json.items[0].ownership).toMatchObject(expected);
  expect((await api.get(`/api/relationships/erd/${ids.open}`)).json.ownership).toEqual([]);
});

test("getERDRelationshipById 404: its own row id, the other kind, unknown", async () => {
  for (const id of [rows.placed, ids.knows, ids.orders, 999_999_999]) {
    expect((await api.get(`/api/relationships/erd/${id}`)).status).toBe(404);
  }
});

test("getERDRelationshipById 400: an id that is none", async () => {
  expect((await api.get("/api/relationships/erd/x")).status).toBe(400);
});

test("getGraphRelationshipById 200: attributes as names and texts", async () => {
  const answer = await api.get(`/api/relationships/graph/${ids.knows}`);
  expect(answer.status).toBe(200);
  const details = DataEntityRelationshipDetails.parse(answer.json);
  expect(details.erd_relationship).toBeNull();
  expect(details.graph_relationship).toEqual({
    graph_relationship_id: rows.knows,
    is_directed: true,
    attributes: [
      { name: "deep", value: '{"a": [1]}' },
      { name: "none", value: "null" },
      { name: "note", value: "close" },
      { name: "since", value: "2020" },
    ],
  });
});

test("getGraphRelationshipById 404: its own row id, the other kind, hollow", async () => {
  for (const id of [rows.knows, ids.placed, ids.hollow]) {
    expect((await api.get(`/api/relationships/graph/${id}`)).status).toBe(404);
  }
});

test("getGraphRelationshipById 400: an id that is none", async () => {
  expect((await api.get("/api/relationships/graph/0")).status).toBe(400);
});

test("getDataSetRelationships 200: at either end, once, excluded ones too", async () => {
  const of = async (id: number, type: string) => {
    const answer = await api.get(`/api/datasets/${id}/relationships?type=${type}`);
    expect(answer.status).toBe(200);
    return DataEntityRelationshipDetailsList.parse(answer.json);
  };
  const users = await of(ids.users!, "ALL");
  expect(idsOf(users.items)).toEqual([ids.placed, ids.knows, ids.excluded]);
  expect(users.page_info).toEqual({ total: 3, hasNext: false });
  expect(users.items[0]!.erd_relationship!.fields_pairs).toHaveLength(2);
  expect(idsOf((await of(ids.users!, "GRAPH")).items)).toEqual([ids.knows, ids.excluded]);
  expect((await of(await seed.seedEntity(database.db), "ERD")).items).toEqual([]);
});

test("getDataSetRelationships 404: unknown and hollow", async () => {
  for (const id of [ids.nobody, 999_999_999]) {
    expect((await api.get(`/api/datasets/${id}/relationships?type=ALL`)).status).toBe(404);
  }
});

test("getDataSetRelationships 400: type is required", async () => {
  expect((await api.get(`/api/datasets/${ids.users}/relationships`)).status).toBe(400);
});
