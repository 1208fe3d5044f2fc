import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import { recordMentions } from "#services/api/features/terms/service.ts";
import { termRoutes } from "#services/api/features/terms/routes.ts";
import { purgeDeleted } from "#services/housekeeping/purge.ts";
import { type Harness, harness, table } from "#services/ingest-consumer/testing/harness.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";

let at: Harness;
let context: Context;
let api: TestApi;
beforeAll(async () => {
  at = await harness();
  context = testContext(at);
  const families = [dataEntityRoutes, searchRoutes, statusRoutes, termRoutes];
  api = testApi(families.flatMap((routes) => routes(context)), context);
});
afterAll(async () => {
  await context.wakeups.close();
  await at.drop();
});

const make = async (name: string): Promise<number> => {
  const form = { name, namespace_name: "glossary", definition: "" };
  return (await api.post("/api/terms", form)).json.id;
};
const shown = async (id: number) =>
  (await api.get(`/api/dataentities/${id}`)).json.terms
    .map((one: { term: { name: string }; is_description_link: boolean }) => [
      one.term.name,
      one.is_description_link,
    ]);
const listed = async (term: number) =>
  (await api.get(`/api/terms/${term}/linked_entities?page=1&size=9`)).json.items
    .map(({ id }: { id: number }) => id);
const counted = async (term: number) =>
  (await api.get(`/api/terms/${term}`)).json.entities_using_count;
const found = async (query: string) => {
  const { search_id } = (await api.post("/api/search", { query, filters: {} })).json;
  return (await api.get(`/api/search/${search_id}/results?page=1&size=9`)).json.items
    .map(({ id }: { id: number }) => id);
};
const setStatus = (id: number, status: string) =>
  api.put(`/api/dataentities/${id}/statuses`, { status: { status } });
const far = new Date("2100-01-01T00:00:00.000Z");

describe("terms of an entity", () => {
  it("stay through ingestion, deletion, restoration and another source, and go with a purge", async () => {
    await at.post([table("//kept/a"), table("//kept/b")]);
    const [a, b] = [(await at.entity("//kept/a")).id, (await at.entity("//kept/b")).id];
    const [byHand, mentioned] = [await make("handpicked"), await make("mentioned")];
    await api.post(`/api/dataentities/${a}/terms`, { term_id: byHand });
    await api.post(`/api/dataentities/${b}/terms`, { term_id: byHand });
    await at.db.transaction((tx) =>
      recordMentions(tx, { kind: "data_entity", id: a }, "[[glossary:mentioned]]", "text")
    );
    const both = [["handpicked", false], ["mentioned", true]];
    const everywhere = async () => [
      await shown(a),
      await listed(byHand),
      await listed(mentioned),
      [await counted(byHand), await counted(mentioned)],
      await found("handpicked"),
    ];
    const whole = [both, [a, b], [a], [2, 1], [a, b]];
    expect(await everywhere()).toEqual(whole);

    await at.post([table("//kept/a", { description: "told anew" })]);
    expect(await everywhere()).toEqual(whole);

    await setStatus(a, "DELETED");
    expect(await everywhere()).toEqual([both, [b], [], [1, 0], [b]]);
    await setStatus(a, "STABLE");
    expect(await everywhere()).toEqual(whole);

    await at.post([table("//kept/a")], { source: "//other" });
    expect(await everywhere()).toEqual(whole);

    await setStatus(a, "DELETED");
    expect(await purgeDeleted(at.db, far, 10)).toMatchObject({ removed: 1 });
    expect(await at.rows("SELECT FROM entity_term WHERE entity_id = $1", a)).toEqual([]);
    expect(await at.rows("SELECT FROM entity_mention WHERE entity_id = $1", a)).toEqual([]);
    expect([await listed(byHand), await shown(b), await found("handpicked")])
      .toEqual([[b], [["handpicked", false]], [b]]);
    // What mentioned the term is gone, so that it may be deleted.
    expect((await api.delete(`/api/terms/${mentioned}`)).status).toBe(204);
  });

  it("of a dataset go with its columns", async () => {
    const column = {
      catrn: "//cols/a/zip",
      name: "zip",
      type: { type: "TYPE_STRING", is_nullable: true },
    };
    const dataset = { field_list: [column] };
    await at.post([{ ...table("//cols/a"), dataset }]);
    const { id } = await at.entity("//cols/a");
    const [field] = await at.rows<{ id: number }>(
      "SELECT id FROM dataset_field WHERE dataset_id = $1",
      id,
    );
    const term = await make("of columns");
    await at.rows("INSERT INTO field_term VALUES ($1, $2)", field!.id, term);
    const columns = async () =>
      (await api.get(`/api/terms/${term}/linked_columns?page=1&size=9`)).json.page_info.total;
    expect(await columns()).toBe(1);
    await setStatus(id, "DELETED");
    expect(await columns()).toBe(0);
    await setStatus(id, "STABLE");
    expect(await columns()).toBe(1);
    await setStatus(id, "DELETED");
    await purgeDeleted(at.db, far, 10);
    expect(await at.rows("SELECT FROM field_term")).toEqual([]);
    expect((await api.delete(`/api/terms/${term}`)).status).toBe(204);
  });
});
