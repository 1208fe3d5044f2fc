import { beforeAll, describe, expect, it } from "vitest";
import {
  DataEntityDetails,
  DataEntityList,
  type ReferenceList,
} from "#contract/catalogue/entity.ts";
import { DataEntityRefPage } from "#contract/catalogue/entity-ref.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { type SeedEntity, seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(dataEntityRoutes);

/** More than the details show. */
const live = 1_003;
const shownInDetails = 1_000;
const shownInLists = 100;

/** CATRNs in an order other than that of their ids; two of them deleted, one listed twice. */
let declared: string[];
let holders: Map<ReferenceList, number>;
const idOf = new Map<string, number>();

beforeAll(async () => {
  const rows = await database.db.query<{ id: number; catrn: string }>(
    `INSERT INTO data_entity (catrn, external_name, type_id, class_ids, status)
     SELECT '//t/' || n, 't' || n, 1, '{1}', CASE WHEN n <= 2 THEN 5 ELSE 1 END
       FROM generate_series(1, $1) n RETURNING id, catrn`,
    [live + 2],
  );
  for (const row of rows) idOf.set(row.catrn, row.id);
  declared = [...rows.map((row) => row.catrn).reverse(), "//t/7"];
  const make = (given: SeedEntity) => seedEntity(database.db, given);
  const job = await make({
    type: "JOB",
    attributes: { data_transformer: { inputs: declared, outputs: declared } },
  });
  const dashboard = await make({
    type: "DASHBOARD",
    attributes: { data_consumer: { inputs: declared } },
  });
  const call = await make({
    type: "API_CALL",
    attributes: { data_input: { outputs: declared } },
  });
  const test = await make({ type: "JOB", classes: [4] });
  const group = await make({ type: "DAG" });
  await database.db.query(
    `WITH t AS (INSERT INTO test_dataset (test_id, dataset_id)
                SELECT $1, id FROM unnest($3::bigint[]) id)
     INSERT INTO group_member (group_id, member_id, origin)
     SELECT $2, id, 'LIST' FROM unnest($3::bigint[]) id`,
    [test, group, [...idOf.values()]],
  );
  holders = new Map<ReferenceList, number>([
    ["source_list", job],
    ["target_list", job],
    ["input_list", dashboard],
    ["output_list", call],
    ["datasets_list", test],
    ["entities", group],
  ]);
});

const lists: ReferenceList[] = [
  "source_list",
  "target_list",
  "input_list",
  "output_list",
  "datasets_list",
  "entities",
];
const totalOf = (list: ReferenceList) =>
  list === "entities" ? "items_count" as const : `${list}_total` as const;
/** In list order: as declared, or by id. */
const whole = (list: ReferenceList) => {
  const byPlace = declared.slice(0, -1).filter((catrn) => !["//t/1", "//t/2"].includes(catrn));
  const ids = byPlace.map((catrn) => idOf.get(catrn)!);
  return list === "datasets_list" || list === "entities" ? ids.sort((a, b) => a - b) : ids;
};

describe.each(lists)("%s of an entity with more references than are shown", (list) => {
  it("is cut in details with its total next to it", async () => {
    const { json } = await api.get(`/api/dataentities/${holders.get(list)}`);
    const details = DataEntityDetails.parse(json);
    expect(details[totalOf(list)]).toBe(live);
    expect(details[list]!.map((ref) => ref.id)).toEqual(whole(list).slice(0, shownInDetails));
  });

  it("is cut in lists with its total next to it", async () => {
    const { json } = await api.get("/api/dataentities?page=2&size=1000");
    const item = DataEntityList.parse(json).items.find(({ id }) => id === holders.get(list))!;
    expect(item[totalOf(list)]).toBe(live);
    expect(item[list]!.map((ref) => ref.id)).toEqual(whole(list).slice(0, shownInLists));
  });

  it("can be had whole, page by page", async () => {
    const path = `/api/dataentities/${holders.get(list)}/references/${list}`;
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => (await api.get(`${path}?page=${page}&size=500`)).json),
    );
    const parsed = pages.map((page) => DataEntityRefPage.parse(page));
    expect(parsed.flatMap((page) => page.items.map(({ id }) => id))).toEqual(whole(list));
    expect(parsed.map((page) => page.page_info)).toEqual([
      { total: live, hasNext: true },
      { total: live, hasNext: true },
      { total: live, hasNext: false },
    ]);
  });
});

it("totals are null for lists that the classes of an entity do not have", async () => {
  const { json } = await api.get(`/api/dataentities/${idOf.get("//t/5")}`);
  for (const list of lists) expect([json[list], json[totalOf(list)]]).toEqual([null, null]);
});

describe("getDataEntityReferences", () => {
  const ask = (id: number, list: string, page = "page=1&size=10") =>
    api.get(`/api/dataentities/${id}/references/${list}?${page}`);

  it("200: is empty for a list that the entity does not have", async () => {
    const { status, json } = await ask(idOf.get("//t/5")!, "source_list");
    expect([status, json]).toEqual([200, { items: [], page_info: { total: 0, hasNext: false } }]);
  });
  it("400: names the lists that there are, and the bounds of a page", async () => {
    const unknown = await ask(holders.get("source_list")!, "constructor");
    expect([unknown.status, unknown.json.message]).toEqual([
      400,
      expect.stringMatching(/list: must be one of source_list, target_list/),
    ]);
    expect((await ask(holders.get("source_list")!, "source_list", "page=1&size=1001")).status)
      .toBe(400);
  });
  it("404: for an unknown and a hollow entity", async () => {
    const hollow = await seedEntity(database.db, { hollow: true });
    expect((await ask(hollow, "source_list")).status).toBe(404);
    expect((await ask(999_999_999, "source_list")).status).toBe(404);
  });
});

it("getDataEntityDetails: structure versions beyond those that are listed are counted", async () => {
  const id = await seedEntity(database.db);
  await database.db.query(
    `INSERT INTO dataset_version (dataset_id, version, hash)
     SELECT $1, n, 'hash ' || n FROM generate_series(1, $2) n`,
    [id, live],
  );
  const { json } = await api.get(`/api/dataentities/${id}`);
  const details = DataEntityDetails.parse(json);
  expect(details.version_list!.map((v) => v.version))
    .toEqual(Array.from({ length: shownInDetails }, (_, n) => live - n));
  expect(details.version_list_total).toBe(live);
});
