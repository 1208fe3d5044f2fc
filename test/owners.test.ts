import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { createFeatures, type Feature } from "#services/api/features.ts";
import { refreshBatch } from "#services/housekeeping/search-refresh.ts";
import { MessageBuilder } from "#services/notifier/content/message-builder.ts";
import { anEvent } from "#test/support/alerts/deliveries.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { distributed } from "#test/support/engines/engines.ts";
import type { GraphUnderTest } from "#test/support/engines/lineage-graph.ts";
import { neo4jUnderTest } from "#test/support/engines/neo4j-graph.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { bindUser, calledBy } from "#test/support/http/caller.ts";
import { seedAlert, seedEdge, seedEntity, seedOwnership } from "#test/support/seed/seed.ts";

async function postgresUnderTest(): Promise<GraphUnderTest> {
  const { db, drop } = await testDatabase();
  return { graph: new PostgresGraph(db), db, settle: () => Promise.resolve(), close: drop };
}

const engines: [name: string, open: () => Promise<GraphUnderTest>][] = [
  ["PostgreSQL", postgresUnderTest],
  ...(distributed() ? [["Neo4j", neo4jUnderTest] as [string, typeof neo4jUnderTest]] : []),
];

const page = "page=1&size=50";
const period = "begin_date=2020-01-01T00:00:00Z&end_date=2100-01-01T00:00:00Z";

// Lineage: up > mine > down. Owners and tags are given over HTTP, and ada is bound to Data Team.
describe.each(engines)("what rests on owners and tags, lineage in %s", (_, open) => {
  let test: GraphUnderTest;
  let features: Feature[];
  let ada: TestApi;
  let closeContext: () => Promise<void>;
  const ids: Record<string, number> = {};
  const alerts = new Map<number, string>();
  let owner: number;
  let tag: number;

  beforeAll(async () => {
    test = await open();
    const store = { db: test.db, url: "", name: "owners", drop: () => Promise.resolve() };
    const context = testContext(store, { graph: test.graph });
    closeContext = () => context.wakeups.close();
    features = createFeatures(context);
    ada = testApi(calledBy("ada", features.flatMap(({ routes }) => routes)), context);
    for (const name of ["up", "mine", "down", "aside"]) {
      ids[name] = await seedEntity(test.db, { name });
      alerts.set(await seedAlert(test.db, ids[name]), name);
    }
    await seedEdge(test.db, ids.up!, ids.mine!);
    await seedEdge(test.db, ids.mine!, ids.down!);
    await test.db.query("SELECT lineage_append($1)", [Object.values(ids)]);
    await test.settle();
    await test.db.query("SELECT refresh_search_documents($1)", [Object.values(ids)]);
    await bindUser(test.db, "ada", "Data Team");
    const own = { owner_name: "Data Team", title_name: "Steward" };
    const made = await ada.post(`/api/dataentities/${ids.mine}/ownership`, own);
    owner = made.json.owner.id;
    for (const name of ["up", "mine", "down"]) {
      const tags = await ada.put(`/api/dataentities/${ids[name]}/tags`, { tag_name_list: ["pii"] });
      tag = tags.json[0].id;
    }
  });
  afterAll(async () => {
    for (const feature of features) feature.stop?.();
    await closeContext();
    await test.close();
  });

  const read = async (path: string) => {
    const { status, json, text } = await ada.get(path);
    expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
    return json;
  };
  const nameOf = (id: number) => Object.keys(ids).find((name) => ids[name] === id);
  const entities = (items: { id: number }[]) => items.map(({ id }) => nameOf(id)).sort();
  const alerted = (items: { id: number }[]) => items.map(({ id }) => alerts.get(id)).sort();
  const search = async (form: object): Promise<string> =>
    (await ada.post("/api/search", { query: "", filters: {}, ...form })).json.search_id;
  const found = async (form: object) =>
    entities((await read(`/api/search/${await search(form)}/results?${page}`)).items);

  it("my, my/upstream, my/downstream", async () => {
    const my = async (path: string) => entities(await read(`/api/dataentities/my${path}?${page}`));
    expect([await my(""), await my("/upstream"), await my("/downstream")])
      .toEqual([["mine"], ["up"], ["down"]]);
  });

  it("alerts: views, counts, owner_ids and tag_ids", async () => {
    const list = async (query: string) => alerted(await read(`/api/alerts/list?${page}&${query}`));
    for (
      const [view, name] of [["MY_OBJECTS", "mine"], ["UPSTREAM", "up"], ["DOWNSTREAM", "down"]]
    ) {
      expect([view, await list(`type=${view}`)]).toEqual([view, [name]]);
    }
    expect(await list(`owner_ids=${owner}`)).toEqual(["mine"]);
    expect(await list(`tag_ids=${tag}`)).toEqual(["down", "mine", "up"]);
    expect(await read("/api/alerts/counts")).toEqual({
      total_count: 4,
      my_objects_count: 1,
      upstream_count: 1,
      downstream_count: 1,
    });
  });

  it("activity: views, counts, owner_ids, tag_ids and whoever acted by its owner", async () => {
    const feed = async (query: string) => {
      const events = await read(`/api/activity?${period}&size=50&${query}`);
      return events.map((e: { event_type: string; data_entity: { id: number } }) =>
        `${nameOf(e.data_entity.id)} ${e.event_type}`
      );
    };
    const tagged = "TAG_ASSIGNMENT_UPDATED";
    const mine = [`mine ${tagged}`, "mine OWNERSHIP_CREATED"];
    expect(await feed("type=MY_OBJECTS")).toEqual(mine);
    expect(await feed("type=UPSTREAM")).toEqual([`up ${tagged}`]);
    expect(await feed("type=DOWNSTREAM")).toEqual([`down ${tagged}`]);
    expect(await feed(`owner_ids=${owner}`)).toEqual(mine);
    expect(await feed(`tag_ids=${tag}&event_type=${tagged}`)).toHaveLength(3);
    expect(await feed(`user_ids=${owner}`)).toHaveLength(4);
    expect(await read(`/api/activity/counts?${period}`)).toEqual({
      total_count: 4,
      my_objects_count: 2,
      upstream_count: 1,
      downstream_count: 1,
    });
    const [user] = (await read(`/api/activity/users?${page}&query=data`)).items;
    expect(user).toMatchObject({ identity: { username: "ada" }, owner: { name: "Data Team" } });
  });

  it("search: facets, my_objects, highlights", async () => {
    const chosen = (id: number) => [{ entity_id: id, selected: true }];
    expect(await found({ filters: { owners: chosen(owner) } })).toEqual(["mine"]);
    expect(await found({ filters: { tags: chosen(tag) } })).toEqual(["down", "mine", "up"]);
    expect(await found({ my_objects: true })).toEqual(["mine"]);
    expect(await found({ query: "steward" })).toEqual(["mine"]);
    const id = await search({ query: "data team" });
    expect(await read(`/api/search/${id}/facet/owners?${page}`))
      .toEqual([{ id: owner, name: "Data Team", count: 1, selected: false }]);
    const { owners } = await read(`/api/search/${id}/data_entities/${ids.mine}/highlights`);
    expect(owners[0].owner).toMatch(/<.+>Data<.+>Team</);
  });

  it("details and lists name the owner", async () => {
    const expected = [{ owner: { id: owner, name: "Data Team" }, title: { name: "Steward" } }];
    const details = await read(`/api/dataentities/${ids.mine}`);
    expect(details.ownership).toMatchObject(expected);
    expect(details.ownership[0].owner.associated_user)
      .toEqual({ oidc_username: "ada", provider: null });
    const { items } = await read(`/api/dataentities?${page}&query=mine`);
    expect(items[0].ownership).toMatchObject(expected);
  });

  it("notifications name the owner", async () => {
    const { db, graph } = test;
    const messageBuilder = new MessageBuilder({
      db,
      graph,
      depth: 1,
      maxNodes: 100,
      timeoutMs: 60_000,
    });
    const event = anEvent({ entity_id: ids.mine! });
    expect((await messageBuilder.build([event])).get(event.id)).toMatchObject({
      data_entity: { owners: [{ owner_name: "Data Team", title_name: "Steward" }] },
    });
  });

  it("a renamed owner and tag are found, shown and offered by their new names", async () => {
    await ada.put(`/api/owners/${owner}`, { name: "Platform Group" });
    await ada.put(`/api/tags/${tag}`, { name: "secret" });
    while (await refreshBatch(test.db) !== null);
    for (
      const [query, expected] of [
        ["platform group", ["mine"]],
        ["data team", []],
        ["secret", ["down", "mine", "up"]],
        ["pii", []],
      ] as [string, string[]][]
    ) {
      expect([query, await found({ query })]).toEqual([query, expected]);
    }
    const id = await search({ query: "platform secret" });
    const facet = async (name: string) =>
      (await read(`/api/search/${id}/facet/${name}?${page}`)).map((one: { name: string }) =>
        one.name
      );
    expect([await facet("owners"), await facet("tags")]).toEqual([["Platform Group"], ["secret"]]);
    const shown = await read(`/api/search/${id}/data_entities/${ids.mine}/highlights`);
    expect([shown.owners.length, shown.tags.length]).toEqual([1, 1]);
    expect(await found({ my_objects: true })).toEqual(["mine"]);
  });

  it("what a source tells of owners is shown, found, filtered, counted and notified too", async () => {
    const { db, graph } = test;
    await seedOwnership(db, ids.aside!, "Platform Group", "Told by source", true);
    await db.query("SELECT refresh_search_documents($1)", [[ids.aside]]);
    expect(entities(await read(`/api/dataentities/my?${page}`))).toEqual(["aside", "mine"]);
    expect(await found({ my_objects: true })).toEqual(["aside", "mine"]);
    expect(await found({ query: "told by source" })).toEqual(["aside"]);
    const filters = { owners: [{ entity_id: owner, selected: true }] };
    expect(await found({ filters })).toEqual(["aside", "mine"]);
    const facet = await read(
      `/api/search/${await search({ query: "platform group" })}/facet/owners?${page}`,
    );
    expect(facet).toEqual([{ id: owner, name: "Platform Group", count: 2, selected: false }]);
    expect(alerted(await read(`/api/alerts/list?${page}&owner_ids=${owner}`)))
      .toEqual(["aside", "mine"]);
    const externals = async (name: string) =>
      (await read(`/api/dataentities/${ids[name]}`)).ownership.map(
        (one: { external: boolean }) => one.external,
      );
    expect([await externals("aside"), await externals("mine")]).toEqual([[true], [false]]);
    const messageBuilder = new MessageBuilder({
      db,
      graph,
      depth: 1,
      maxNodes: 100,
      timeoutMs: 60_000,
    });
    const event = anEvent({ entity_id: ids.aside! });
    expect((await messageBuilder.build([event])).get(event.id)).toMatchObject({
      data_entity: { owners: [{ owner_name: "Platform Group", title_name: "Told by source" }] },
    });
  });
});
