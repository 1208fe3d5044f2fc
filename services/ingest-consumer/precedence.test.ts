import { afterAll, beforeAll, expect, it } from "vitest";
import { frameHeaders, lowPriorityHeaders } from "#contract/ingestion/frame.ts";
import { uuidv7 } from "#kit/ids.ts";
import { directRecord, type Harness, harness, type Item, table } from "./testing/harness.ts";

// A batch with `precedence: yield` changes nothing that another system tells of.

let h: Harness;
const own = "//guesses/one";
const siblingSources = "//guesses/two";

beforeAll(async () => {
  h = await harness();
  await h.rows(
    "INSERT INTO data_source (catrn, name) VALUES ($1, 'guesses one'), ($2, 'guesses two')",
    own,
    siblingSources,
  );
});
afterAll(() => h.drop());

let now = Date.now();

/** Posts items that have low precedence, as seen at a time in milliseconds. */
function guess(items: Item[], { source = own, seenAt = now + 1 } = {}): Promise<string> {
  const receivedAt = now += 1_000;
  const frame = frameHeaders({ batch: uuidv7(receivedAt), part: 0, parts: 1, receivedAt });
  const body = { data_source_catrn: source, items };
  return h.pipeline.process(directRecord(body, { ...frame, ...lowPriorityHeaders(seenAt) }));
}

const collect = (...items: Item[]) => h.post(items, { receivedAt: now += 1_000 });

async function shown(catrn: string) {
  const [row] = await h.rows<{ name: string; source: string; live: boolean; at: string }>(
    `SELECT e.external_name AS name, s.catrn AS source, is_live(e.status) AS live,
            e.last_ingested_at::text AS at
       FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id WHERE e.catrn = $1`,
    catrn,
  );
  return row!;
}

it("creates entities that are unknown, and fills hollow ones", async () => {
  await guess([table("//y/new", { name: "guessed" })]);
  expect(await shown("//y/new")).toMatchObject({ name: "guessed", source: own, live: true });
  await collect({
    catrn: "//y/job",
    name: "j",
    type: "JOB",
    data_transformer: { inputs: ["//y/hollow"], outputs: [] },
  });
  await guess([table("//y/hollow", { name: "guessed" })]);
  expect(await shown("//y/hollow")).toMatchObject({ name: "guessed", source: own });
});

it("leaves an entity of a collector as it is, and its last-seen time too", async () => {
  await collect(table("//y/live", { name: "collected" }));
  const before = await shown("//y/live");
  const job = {
    catrn: "//y/reader",
    name: "reader",
    type: "JOB",
    data_transformer: { inputs: ["//y/live"], outputs: [] },
  };
  await guess([
    table("//y/live", { name: "guessed", tags: [{ name: "guess" }], owners: [{ name: "guess" }] }),
    job,
  ]);
  expect(await shown("//y/live")).toEqual(before);
  expect(await h.rows("SELECT FROM tag WHERE name = 'guess'")).toEqual([]);
  expect(await h.rows("SELECT FROM owner WHERE name = 'guess'")).toEqual([]);
  expect(await shown("//y/reader")).toMatchObject({ source: own });
});

it("is changed by a collector that comes later, which then stays", async () => {
  await guess([table("//y/later", { name: "guessed" })]);
  await collect(table("//y/later", { name: "collected" }));
  await guess([table("//y/later", { name: "guessed anew" })]);
  expect(await shown("//y/later")).toMatchObject({ name: "collected", source: "//warehouse" });
});

it("restores what was deleted before it was seen, and nothing that was deleted since", async () => {
  await collect(table("//y/gone", { name: "collected" }));
  await h.rows(
    "UPDATE data_entity SET status = 5, status_updated_at = to_timestamp($1::bigint / 1000.0) WHERE catrn = '//y/gone'",
    now,
  );
  await guess([table("//y/gone", { name: "guessed" })], { seenAt: now - 1 });
  expect(await shown("//y/gone")).toMatchObject({ live: false, name: "collected" });
  await guess([table("//y/gone", { name: "guessed" })], { seenAt: now + 2 });
  expect(await shown("//y/gone")).toMatchObject({ live: true, name: "guessed", source: own });
});

it("does not yield to another data source of OpenLineage", async () => {
  await guess([table("//y/kin", { name: "one" })]);
  await guess([table("//y/kin", { name: "two" })], { source: siblingSources });
  expect(await shown("//y/kin")).toMatchObject({ name: "two", source: siblingSources });
});

it("takes over from events of OpenLineage, which do not take it back", async () => {
  const events = "//openlineage/namespaces/spark";
  await h.rows("INSERT INTO data_source (catrn, name) VALUES ($1, 'events')", events);
  await guess([table("//y/seen", { name: "of an event" })], { source: events });
  await guess([table("//y/seen", { name: "of a connection" })]);
  expect(await shown("//y/seen")).toMatchObject({ name: "of a connection", source: own });
  await guess([table("//y/seen", { name: "of another event" })], { source: events });
  expect(await shown("//y/seen")).toMatchObject({ name: "of a connection", source: own });
});

it("the event of the ingestion has the usual counts, and no others", async () => {
  const logged = await h.rows<{ entities: object }>(
    "SELECT details->'entities' AS entities FROM change WHERE kind = 'ingestion'",
  );
  expect(logged.length).toBeGreaterThan(5);
  for (const { entities } of logged) {
    expect(Object.keys(entities).sort()).toEqual(["changed", "new", "stale", "unchanged"]);
  }
});
