import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columns, ns, pg, run, shownBy, tableOf } from "../testing/catalogue.ts";
import { type EventInput, type Harness, harness } from "../testing/harness.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());
const { statusOf } = shownBy(() => h);

const dataset = (namespace: string, name: string, facets: EventInput = {}) => ({
  namespace: pg(namespace),
  name: `shop.public.${name}`,
  facets,
});
const renamedFrom = (namespace: string, name: string) => ({
  lifecycleStateChange: {
    lifecycleStateChange: "RENAME",
    previousIdentifier: { namespace: pg(namespace), name: `shop.public.${name}` },
  },
});

/** What people may write on a table and on its column `id`. */
async function writeOn(catrn: string, at = h): Promise<void> {
  const [{ id }] = await at.rows<{ id: number }>(
    "SELECT id FROM data_entity WHERE catrn = $1",
    catrn,
  ) as [
    { id: number },
  ];
  await at.rows(
    `WITH e AS (UPDATE data_entity SET internal_description = 'All orders', internal_name = 'Orders' WHERE id = $1),
          f AS (UPDATE dataset_field SET internal_description = 'Its key' WHERE dataset_id = $1 AND name = 'id'),
          o AS (INSERT INTO owner (name) VALUES ('Ada of ' || $1::text) RETURNING id),
          t AS (INSERT INTO tag (name) VALUES ('gold ' || $1::text) RETURNING id),
          w AS (INSERT INTO ownership (entity_id, owner_id) SELECT $1, id FROM o),
          s AS (INSERT INTO favorite (username, provider, entity_id) VALUES ('ada', '', $1)),
          m AS (INSERT INTO message (id, entity_id, state, channel_id, channel_name, text, created_at)
                VALUES (gen_random_uuid(), $1, 'SENT', 'c', 'c', 'Who writes this?', now()))
     INSERT INTO entity_tag (entity_id, tag_id, origin) SELECT $1, id, 'INTERNAL' FROM t`,
    id,
  );
}

const written = async (catrn: string, at = h) =>
  (await at.rows(
    `SELECT e.internal_description AS description, e.internal_name AS name,
            (SELECT f.internal_description FROM dataset_field f
              WHERE f.dataset_id = e.id AND f.name = 'id') AS field,
            ARRAY(SELECT t.name FROM entity_tag x JOIN tag t ON t.id = x.tag_id WHERE x.entity_id = e.id) AS tags,
            ARRAY(SELECT o.name FROM ownership x JOIN owner o ON o.id = x.owner_id WHERE x.entity_id = e.id) AS owners,
            (SELECT count(*)::int FROM favorite f WHERE f.entity_id = e.id) AS favorites,
            (SELECT count(*)::int FROM message m WHERE m.entity_id = e.id) AS messages
       FROM data_entity e WHERE e.catrn = $1`,
    catrn,
  ))[0];

it("what people wrote on a table goes with it when it is renamed", async () => {
  const namespace = ns();
  const load = (name: string, facets: EventInput = {}) =>
    run(namespace, "COMPLETE", { outputs: [dataset(namespace, name, facets)] });
  await h.take(load("before", columns("id", "total")));
  await writeOn(tableOf(namespace, "before"));
  const expected = await written(tableOf(namespace, "before"));
  expect(expected).toMatchObject({
    description: "All orders",
    field: "Its key",
    tags: [expect.stringMatching("gold")],
  });
  h.clock.at += 60_000;
  await h.take(load("after", { ...columns("id", "total"), ...renamedFrom(namespace, "before") }));
  expect(await statusOf(tableOf(namespace, "before"))).toMatchObject([{ status: "false" }]);
  expect(await statusOf(tableOf(namespace, "after"))).toMatchObject([{ status: "true" }]);
  expect(await written(tableOf(namespace, "after"))).toEqual(expected);
});

it("a description of the new name stays", async () => {
  const namespace = ns();
  const load = (name: string, n: number, facets: EventInput = {}) =>
    run(namespace, "COMPLETE", { n, outputs: [dataset(namespace, name, facets)] });
  await h.take(load("old", 1), load("new", 2));
  await h.rows(
    `UPDATE data_entity SET internal_description = 'of ' || external_name WHERE catrn = ANY($1)`,
    [tableOf(namespace, "old"), tableOf(namespace, "new")],
  );
  h.clock.at += 60_000;
  await h.take(load("new", 3, renamedFrom(namespace, "old")));
  expect(await written(tableOf(namespace, "new"))).toMatchObject({ description: "of new" });
});

describe("with the ingestion filter on", () => {
  let filtered: Harness;
  beforeAll(async () => {
    filtered = await harness({}, { auth: { ingestion: { filter: { enabled: true } } } });
  });
  afterAll(() => filtered.drop());

  it.each([["its own token", true], ["no token", false]])(
    "an event that renames gives no rights on an asset of a data source with %s, and its words all the same",
    async (_, isGuarded) => {
      const namespace = ns();
      const source = `//postgresql/host/db${namespace}/databases/shop`;
      const victim = tableOf(namespace, "victim");
      await filtered.collect(source, {
        catrn: victim,
        name: "victim",
        type: "TABLE",
        dataset: { field_list: [] },
      });
      if (isGuarded) {
        await filtered.rows(
          `WITH t AS (INSERT INTO token (digest, hint) VALUES (sha256(convert_to($1, 'UTF8')), 'x') RETURNING id)
           UPDATE data_source s SET token_id = t.id FROM t WHERE s.catrn = $1`,
          source,
        );
      }
      const load = (name: string, facets: EventInput = {}) =>
        run(namespace, "COMPLETE", { outputs: [dataset(namespace, name, facets)] });
      await filtered.take(load("bait"));
      await writeOn(tableOf(namespace, "bait"), filtered);
      filtered.clock.at += 60_000;
      await filtered.take(load("victim", renamedFrom(namespace, "bait")));
      expect(await written(victim, filtered)).toMatchObject({
        description: "All orders",
        ...isGuarded
          ? { owners: [], tags: [], name: null }
          : { owners: [expect.anything()], tags: [expect.anything()], name: "Orders" },
      });
    },
  );
});
