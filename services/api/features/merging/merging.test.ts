import { describe, expect, test } from "vitest";
import { collectorRoutes } from "#services/api/features/collectors/routes.ts";
import { groupRoutes } from "#services/api/features/groups/routes.ts";
import { mergingRoutes } from "#services/api/features/merging/routes.ts";
import { refreshBatch } from "#services/housekeeping/search-refresh.ts";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { termRoutes } from "#services/api/features/terms/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest((context) => [
  ...mergingRoutes(context),
  ...termRoutes(context),
  ...groupRoutes(context),
  ...collectorRoutes(context),
  ...searchRoutes(context),
]);

const rows = <R = Record<string, unknown>>(text: string, ...values: unknown[]) =>
  database.db.query<R>(text, values);
/** Rows of these names, stored as they were before names were folded; their ids. */
const stored = async (kind: string, ...names: string[]): Promise<number[]> =>
  (await rows<{ id: number }>(
    `INSERT INTO ${kind} (name) SELECT unnest($1::text[]) RETURNING id`,
    names,
  )).map(({ id }) => id);
const events = async (entity: number) =>
  (await rows<{ type: string }>(
    "SELECT event_type AS type FROM activity WHERE entity_id = $1 ORDER BY id",
    entity,
  )).map(({ type }) => type);
const merge = async (path: string) => {
  const answer = await api.post(`${path}/merge`, undefined);
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return answer.json;
};
const duplicates = async () =>
  (await api.get("/api/names/duplicates?size=1000")).json.items as {
    kind: string;
    spellings: { id: number; name: string }[];
  }[];

describe("mergeTags", () => {
  test("200: everything has the one tag, the feed tells of it, and repeating it changes nothing", async () => {
    const { db } = database;
    const [upper, lower] = await stored("tag", "PII", "pii");
    const [one, other] = [await seed.seedEntity(db), await seed.seedEntity(db)];
    await rows("UPDATE tag SET important = true WHERE id = $1", lower);
    await rows(
      "INSERT INTO entity_tag VALUES ($1, $2, 'EXTERNAL'), ($1, $3, 'INTERNAL'), ($4, $3, 'EXTERNAL')",
      one,
      upper,
      lower,
      other,
    );
    const ids = {
      kind: "TAG",
      spellings: [{ id: upper, name: "PII" }, { id: lower, name: "pii" }],
    };
    expect(await duplicates()).toContainEqual(ids);

    const answer = await merge(`/api/tags/${upper}`);
    expect(answer).toEqual({ id: upper, name: "PII", merged: [{ id: lower, name: "pii" }] });
    expect(await rows("SELECT entity_id, tag_id, origin FROM entity_tag ORDER BY 1, 3")).toEqual([
      { entity_id: one, tag_id: upper, origin: "EXTERNAL" },
      { entity_id: one, tag_id: upper, origin: "INTERNAL" },
      { entity_id: other, tag_id: upper, origin: "EXTERNAL" },
    ]);
    expect(await rows("SELECT name, important, is_duplicate FROM tag WHERE folded = 'pii'"))
      .toEqual([{ name: "PII", important: true, is_duplicate: false }]);
    expect(await events(other)).toEqual(["TAG_ASSIGNMENT_UPDATED"]);
    expect((await merge(`/api/tags/${upper}`)).merged).toEqual([]);
    expect(await events(other)).toHaveLength(1);
    expect(await duplicates()).not.toContainEqual(ids);
  });

  test("200: columns and terms too, and the one that stays may be a later one", async () => {
    const { db } = database;
    const [first, second] = await stored("tag", "Cold", "COLD");
    const id = await seed.seedEntity(db);
    const field = await dataset.seedField(db, id, { catrn: "//cold/a" });
    await dataset.seedVersion(db, id, 1, [field]);
    await rows("INSERT INTO field_tag VALUES ($1, $2, 'INTERNAL')", field, first);
    const term =
      (await api.post("/api/terms", { name: "t", namespace_name: "n", definition: "" })).json.id;
    await rows("INSERT INTO term_tag VALUES ($1, $2)", term, first);
    await merge(`/api/tags/${second}`);
    expect(await rows("SELECT tag_id FROM field_tag UNION ALL SELECT tag_id FROM term_tag"))
      .toEqual([{ tag_id: second }, { tag_id: second }]);
    expect(await events(id)).toContain("DATASET_FIELD_TAGS_UPDATED");
  });

  test("404 for an unknown tag", async () => {
    expect((await api.post("/api/tags/999999/merge", undefined)).status).toBe(404);
  });
});

describe("mergeOwners", () => {
  test("200: ownerships, roles, user, requests and terms move; a person's ownership stays", async () => {
    const { db } = database;
    const [ann, upper] = await stored("owner", "Ann", "ANN");
    const [one, other] = [await seed.seedEntity(db), await seed.seedEntity(db)];
    await rows(
      "INSERT INTO ownership (entity_id, owner_id, external) VALUES ($1, $2, true), ($1, $3, false), ($4, $3, false)",
      one,
      ann,
      upper,
      other,
    );
    await rows("INSERT INTO owner_role SELECT $1, id FROM role ORDER BY id LIMIT 1", upper);
    await rows(
      "INSERT INTO user_owner (username, provider, owner_id) VALUES ('u', 'p', $1)",
      upper,
    );
    await merge(`/api/owners/${ann}`);
    expect(await rows("SELECT entity_id, owner_id, external FROM ownership ORDER BY 1")).toEqual([
      { entity_id: one, owner_id: ann, external: false },
      { entity_id: other, owner_id: ann, external: false },
    ]);
    expect(await rows("SELECT owner_id FROM owner_role UNION ALL SELECT owner_id FROM user_owner"))
      .toEqual([{ owner_id: ann }, { owner_id: ann }]);
    expect(await events(other)).toEqual(["OWNERSHIP_UPDATED"]);
    expect(await rows("SELECT type FROM audit_event ORDER BY type"))
      .toEqual([{ type: "OWNER_BOUND" }, { type: "OWNER_ROLES_CHANGED" }]);
  });

  test("400: users are bound to two of them", async () => {
    const ids = await stored("owner", "Bob", "bob");
    await rows(
      "INSERT INTO user_owner (username, provider, owner_id) VALUES ('b1', 'p', $1), ('b2', 'p', $2)",
      ...ids,
    );
    const answer = await api.post(`/api/owners/${ids[0]}/merge`, undefined);
    expect([answer.status, answer.json.message]).toEqual([
      400,
      expect.stringContaining("b2 to owner"),
    ]);
  });
});

describe("mergeTerms", () => {
  const termOf = async (namespace: number, name: string, definition = "") =>
    (await rows<{ id: number }>(
      "INSERT INTO term (namespace_id, name, definition) VALUES ($1, $2, $3) RETURNING id",
      namespace,
      name,
      definition,
    ))[0]!.id;

  test("200: links, owners and favorites move; search and mentions follow", async () => {
    const { db } = database;
    const [space] = await stored("namespace", "Glossary");
    const [churn, upper] = [
      await termOf(space!, "churn", "leaving"),
      await termOf(space!, "CHURN"),
    ];
    const other = await termOf(space!, "retention");
    const id = await seed.seedEntity(db);
    const mentioning = await seed.seedEntity(db);
    await rows("INSERT INTO entity_term VALUES ($1, $2)", id, upper);
    await rows("INSERT INTO term_link VALUES ($1, $2)", upper, other);
    await rows("INSERT INTO favorite (username, provider, term_id) VALUES ('u', 'p', $1)", upper);
    await rows("INSERT INTO entity_mention VALUES ($1, 'GLOSSARY', 'Churn')", mentioning);
    await merge(`/api/terms/${churn}`);
    const linked = (await api.get(`/api/terms/${churn}/linked_entities?page=1&size=9`)).json.items;
    expect(linked.map((item: { id: number }) => item.id).sort()).toEqual([id, mentioning].sort());
    const terms = (await api.get(`/api/terms/${churn}/linked_terms?page=1&size=9`)).json.items;
    expect(terms.map((item: { term: { id: number } }) => item.term.id)).toEqual([other]);
    expect(await rows("SELECT term_id FROM favorite")).toEqual([{ term_id: churn }]);
    expect(await events(id)).toEqual(["TERM_ASSIGNMENT_UPDATED"]);
    expect((await api.get(`/api/terms/${churn}`)).json.definition).toBe("leaving");
  });

  test("400: a definition that would be lost; then with the namespaces that they are in", async () => {
    const [one, two] = await stored("namespace", "Sales", "SALES");
    const [retained, gone] = [
      await termOf(one!, "Lead", "a person"),
      await termOf(two!, "lead", "a metal"),
    ];
    await termOf(two!, "only there");
    const lost = await api.post(`/api/terms/${retained}/merge`, undefined);
    expect([lost.status, lost.json.message]).toEqual([400, expect.stringContaining("SALES:lead")]);
    const clash = await api.post(`/api/namespaces/${one}/merge`, undefined);
    expect([clash.status, clash.json.message]).toEqual([
      400,
      expect.stringContaining("terms Lead, lead"),
    ]);
    await rows("UPDATE term SET definition = '' WHERE id = $1", gone);
    expect((await merge(`/api/terms/${retained}`)).merged).toEqual([{
      id: gone,
      name: "SALES:lead",
    }]);
    await merge(`/api/namespaces/${one}`);
    expect(
      await rows(
        "SELECT DISTINCT namespace_id AS id FROM term WHERE name IN ('Lead', 'only there')",
      ),
    )
      .toEqual([{ id: one }]);
  });
});

describe("mergeNamespaces", () => {
  test("200: sources, collectors and groups move, the feed tells of groups, and search finds all by it", async () => {
    const { db } = database;
    const [one, two] = await stored("namespace", "Größe", "GRÖSSE");
    const source = await seed.seedSource(db, { namespace: "GRÖSSE" });
    const type = { id: 22, name: "DOMAIN" };
    const group = (await api.post("/api/dataentitygroups", {
      name: "sized",
      namespace_name: "GRÖSSE",
      type,
      entities: [],
    })).json.id;
    await merge(`/api/namespaces/${one}`);
    while (await refreshBatch(db) !== null);
    const at = "SELECT namespace_id AS id FROM";
    expect(await rows(`${at} data_source WHERE id = $1`, source)).toEqual([{ id: one }]);
    expect(await rows(`${at} data_entity WHERE id = $1`, group)).toEqual([{ id: one }]);
    expect(await rows("SELECT FROM namespace WHERE id = $1", two)).toEqual([]);
    expect(await events(group)).toEqual(["CUSTOM_GROUP_CREATED", "CUSTOM_GROUP_UPDATED"]);
  });
});

test("merged from both sides at once, one stays", async () => {
  const ids = await stored("tag", "Twice", "TWICE", "twice");
  const answers = await Promise.all(ids.map((id) => api.post(`/api/tags/${id}/merge`, undefined)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect(await rows("SELECT FROM tag WHERE folded = 'twice'")).toHaveLength(1);
});
