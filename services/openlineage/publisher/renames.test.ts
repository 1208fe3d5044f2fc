import { afterAll, beforeAll, expect, it } from "vitest";
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
const idOf = async (catrn: string) =>
  (await h.rows<{ id: number }>("SELECT id FROM data_entity WHERE catrn = $1", catrn))[0]!.id;

/** What people may write on a table and on its column `id`. */
async function describe(catrn: string): Promise<void> {
  const id = await idOf(catrn);
  await h.rows(
    `WITH e AS (UPDATE data_entity SET internal_description = 'All orders', internal_name = 'Orders' WHERE id = $1),
          f AS (UPDATE dataset_field SET internal_description = 'Its key' WHERE dataset_id = $1 AND name = 'id'),
          o AS (INSERT INTO owner (name) VALUES ('Ada') ON CONFLICT DO NOTHING RETURNING id),
          t AS (INSERT INTO tag (name) VALUES ('gold') ON CONFLICT DO NOTHING RETURNING id),
          w AS (INSERT INTO ownership (entity_id, owner_id) SELECT $1, id FROM o),
          s AS (INSERT INTO favorite (username, provider, entity_id) VALUES ('ada', '', $1)),
          m AS (INSERT INTO message (id, entity_id, state, channel_id, channel_name, text, created_at)
                VALUES (gen_random_uuid(), $1, 'SENT', 'c', 'c', 'Who writes this?', now()))
     INSERT INTO entity_tag (entity_id, tag_id, origin) SELECT $1, id, 'INTERNAL' FROM t`,
    id,
  );
}

const written = async (catrn: string) =>
  (await h.rows(
    `SELECT e.internal_description AS description, e.internal_name AS name,
            (SELECT f.internal_description FROM dataset_field f
              WHERE f.dataset_id = e.id AND f.name = 'id') AS field,
            ARRAY(SELECT t.name FROM entity_tag x JOIN tag t ON t.id = x.tag_id WHERE x.entity_id = e.id) AS tags,
            ARRAY(SELECT o.name FROM ownership x JOIN owner o ON o.id = x.owner_id WHERE x.entity_id = e.id) AS owners,
            (SELECT count(*)::int FROM favorite f WHERE f.entity_id = e.id) AS favourites,
            (SELECT count(*)::int FROM message m WHERE m.entity_id = e.id) AS messages
       FROM data_entity e WHERE e.catrn = $1`,
    catrn,
  ))[0];

it("what people wrote on a table goes with it when it is renamed", async () => {
  const namespace = ns();
  const load = (name: string, facets: EventInput = {}) =>
    run(namespace, "COMPLETE", { outputs: [dataset(namespace, name, facets)] });
  await h.take(load("before", columns("id", "total")));
  await describe(tableOf(namespace, "before"));
  const expected = await written(tableOf(namespace, "before"));
  expect(expected).toMatchObject({ description: "All orders", field: "Its key", tags: ["gold"] });
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
