import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { day, now, StaleSource } from "./testing/stale.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedSource } from "#test/support/seed/seed.ts";
import { chunkSize } from "./expiry.ts";

let t: TestDatabase;
let s: StaleSource;
beforeAll(async () => void (t = await testDatabase()));
beforeEach(async () => void (s = await StaleSource.make(t.db)));
afterAll(() => t.drop());

const statusOf = async (id: number) =>
  (await t.db.query<{ status: number }>("SELECT status FROM data_entity WHERE id = $1", [id]))[0]!
    .status;
const deleted = 5;

describe("what expires", () => {
  it("is what was seen before the period, to the millisecond", async () => {
    await s.alive();
    const [older, exact] = [await s.seen(10 * day + 1), await s.seen(10 * day)];
    expect(await s.sweep()).toBe(1);
    expect([await statusOf(older), await statusOf(exact)]).toEqual([deleted, 1]);
    expect(await s.sweep()).toBe(0);
  });

  it("is neither a mere name, nor deleted, nor made by hand, nor of another source", async () => {
    await s.alive();
    const other = await seedSource(t.db, { catrn: `${s.catrn}-2` });
    await s.seen(20 * day, { hollow: true });
    await s.seen(20 * day, { status: deleted });
    await s.seen(20 * day, { sourceId: other });
    await s.seen(0, { lastIngestedAt: null });
    expect(await s.sweep()).toBe(0);
  });

  it("is that of all sources below a CATRN, by the first policy that fits", async () => {
    const below = await seedSource(t.db, { catrn: `${s.catrn}/eu` });
    for (const ago of [7 * day, day, 20 * day]) await s.seen(ago, { sourceId: below });
    await s.alive();
    await s.seen(20 * day);
    const sources = [
      { source: `${s.catrn}/eu`, after: "30 d", act: "delete" },
      { source: s.catrn, after: "10 d", act: "delete" },
    ];
    expect(await s.sweep({ sources })).toBe(1);
    expect(await s.sweep()).toBe(1);
  });

  it("is told in the activity feed, and in chunks", async () => {
    await s.alive();
    await s.many(chunkSize + 1);
    expect(await s.sweep({ "fuse-min": 1_000 })).toBe(chunkSize + 1);
    const [logged] = await t.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM activity a JOIN data_entity e ON e.id = a.entity_id
        WHERE e.data_source_id = $1 AND event_type = 'DATA_ENTITY_STATUS_UPDATED'`,
      [s.id],
    );
    expect(logged!.n).toBe(chunkSize + 1);
  });

  it("is nothing without a policy", async () => {
    await s.alive();
    await s.seen(20 * day);
    expect(await s.sweep({ sources: [] })).toBe(0);
  });
});

describe("a silent collector expires nothing", () => {
  it.each<[string, number[], number]>([
    ["nowhere", [], 0],
    ["in the later half only", [5 * day, 0], 0],
    ["in the earlier half only", [10 * day, 5 * day + 1], 0],
    ["at the first and at the last moment", [10 * day, 0], 1],
    ["at both moments of the middle", [5 * day + 1, 5 * day], 1],
    ["before the period", [10 * day + 1, 0], 0],
    ["in the future", [10 * day, -1], 0],
  ])("seen %s", async (_, ago, expired) => {
    for (const one of ago) await s.seen(one);
    const old = await s.seen(30 * day);
    await s.sweep();
    expect(await statusOf(old)).toBe(expired ? deleted : 1);
  });

  it("what a sweep has seen counts when nothing shows it any more", async () => {
    const entity = await s.seen(30 * day);
    const steady = await s.seen(0);
    expect(await s.sweep()).toBe(0);
    const later = now + 6 * day;
    await t.db.query("UPDATE data_entity SET last_ingested_at = $2 WHERE id = $1", [
      steady,
      new Date(later),
    ]);
    expect(await s.sweep({}, later)).toBe(1);
    expect(await statusOf(entity)).toBe(deleted);
    const rows = await t.db.query("SELECT FROM data_source_seen WHERE data_source_id = $1", [s.id]);
    expect(rows.length).toBe(2);
    await s.sweep({}, now + 10 * day + 1);
    expect(await t.db.query("SELECT FROM data_source_seen WHERE data_source_id = $1", [s.id]))
      .toHaveLength(1);
  });
});

describe("edges", () => {
  const sources = () => [{ source: s.catrn, after: "10 d", act: "edges" }];
  const history = (of: number) =>
    t.db.query<{ parent_id: number; child_id: number }>(
      "SELECT parent_id, child_id FROM lineage_edge_history WHERE child_id = $1",
      [of],
    );

  it("go to the history, and the next batch writes them again", async () => {
    await s.alive();
    const [job, input, fresh] = [await s.seen(20 * day), await s.seen(day), await s.seen(day)];
    const edge =
      "INSERT INTO lineage_edge (establisher_id, parent_id, child_id, live) VALUES ($1, $2, $1, true)";
    await t.db.query(edge, [job, input]);
    await t.db.query(edge, [fresh, input]);
    await t.db.query("UPDATE data_entity SET content_hash = 'x' WHERE id = ANY($1)", [[
      job,
      fresh,
    ]]);
    expect(await s.sweep({ sources: sources() })).toBe(1);
    expect(await history(job)).toEqual([{ parent_id: input, child_id: job }]);
    expect(
      await t.db.query("SELECT establisher_id AS id FROM lineage_edge WHERE parent_id = $1", [
        input,
      ]),
    )
      .toEqual([{ id: fresh }]);
    expect(await statusOf(job)).toBe(1);
    const hashes = await t.db.query(
      "SELECT content_hash IS NULL AS gone FROM data_entity WHERE id = ANY($1) ORDER BY id",
      [[job, fresh]],
    );
    expect(hashes).toEqual([{ gone: true }, { gone: false }]);
    const [moved] = await t.db.query<{ entity_ids: number[] }>(
      "SELECT entity_ids FROM lineage_outbox ORDER BY position DESC LIMIT 1",
    );
    expect(new Set(moved!.entity_ids)).toEqual(new Set([job, input]));
    const logged = await t.db.query("SELECT event_type FROM activity WHERE entity_id = $1", [job]);
    expect(logged).toEqual([{ event_type: "DATA_ENTITY_RELATION_UPDATED" }]);
    expect(await s.sweep({ sources: sources() })).toBe(0);
  });
});

it("dry-run lets nothing expire", async () => {
  await s.alive();
  const old = await s.seen(20 * day);
  expect(await s.sweep({ "dry-run": true })).toBe(0);
  expect(await statusOf(old)).toBe(1);
});
