import { anonymous } from "#contract/actor.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { open } from "#platform/operations/access.ts";
import { updateStatus } from "#services/api/features/statuses/routes.ts";
import { purgeDeleted } from "./purge.ts";
import {
  group,
  insertEdges,
  insertEntities,
  insertMembers,
  livePairs,
  outboxAfter,
  outboxHead,
} from "#test/support/seed/catalogue.ts";
import { somebodyWaits, type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedAlert, seedOwnership, seedTag } from "#test/support/seed/seed.ts";

const deletedAt = Date.parse("2030-01-01T00:00:00.000Z");
const after = new Date(deletedAt + 1);

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

async function remove(...ids: number[]): Promise<void> {
  const context = { db: t.db, authorizer: open, clock: { ...systemClock, now: () => deletedAt } };
  for (const id of ids) {
    await updateStatus(context, anonymous, {
      id,
      status: "DELETED",
      switchAt: null,
      propagate: false,
    });
  }
}

/** For each id: `gone`, `hollow` or `whole`. */
async function fates(...ids: number[]): Promise<string[]> {
  const rows = await t.db.query<{ fate: string }>(
    `SELECT CASE WHEN e.id IS NULL THEN 'gone' WHEN e.hollow THEN 'hollow' ELSE 'whole' END AS fate
       FROM unnest($1::bigint[]) WITH ORDINALITY AS w (id, n) LEFT JOIN data_entity e ON e.id = w.id
      ORDER BY w.n`,
    [ids],
  );
  return rows.map((row) => row.fate);
}

describe("purgeDeleted", () => {
  it("takes what was deleted before the cutoff, in batches, and nothing exactly as old", async () => {
    const { a, b, c, live } = await insertEntities(t.db, ["a", "b", "c", "live"]) as Ids;
    await remove(a!, b!, c!);
    expect(await purgeDeleted(t.db, new Date(deletedAt), 10)).toMatchObject({ found: 0 });
    expect(await purgeDeleted(t.db, after, 2)).toEqual({ found: 2, removed: 2, hollowed: 0 });
    expect(await purgeDeleted(t.db, after, 2)).toEqual({ found: 1, removed: 1, hollowed: 0 });
    expect(await fates(a!, b!, c!, live!)).toEqual(["gone", "gone", "gone", "whole"]);
  });

  it("makes an entity hollow that an edge of another touches, and shows that edge again", async () => {
    const ids = await insertEntities(t.db, ["table", "job", "source"]) as Ids;
    const { table, job, source } = ids;
    await insertEdges(t.db, [[job!, table!, job!], [table!, source!, table!]]);
    await t.db.query("UPDATE data_entity SET internal_name = 'kept?' WHERE id = $1", [table]);
    await remove(table!);
    const head = await outboxHead(t.db);
    expect(await purgeDeleted(t.db, after, 10)).toMatchObject({ removed: 0, hollowed: 1 });
    expect(await fates(table!)).toEqual(["hollow"]);
    expect(await livePairs(t.db, ids)).toEqual(["table>job"]);
    expect(await outboxAfter(t.db, head)).toEqual([[table]]);
    const [row] = await t.db.query(
      `SELECT internal_name, external_name, type_id, class_ids, status, excluded_from_search
         FROM data_entity WHERE id = $1`,
      [table],
    );
    expect(row).toEqual({
      internal_name: null,
      external_name: null,
      type_id: null,
      class_ids: [],
      status: 1,
      excluded_from_search: true,
    });
    const history = await t.db.query(
      "SELECT parent_id, child_id, until >= since AS sane FROM lineage_edge_history WHERE establisher_id = $1",
      [table],
    );
    expect(history).toEqual([{ parent_id: source, child_id: table, sane: true }]);
    const open = await t.db.query(
      "SELECT 1 FROM entity_deletion WHERE entity_id = $1 AND until IS NULL",
      [table],
    );
    expect(open).toEqual([]);
  });

  it("remembers the names of what it removed or emptied, and ends the interval of the deletion", async () => {
    const ids = await insertEntities(t.db, ["removed", "emptied", "other"]) as Ids;
    const { removed, emptied, other } = ids;
    await insertEdges(t.db, [[other!, emptied!, other!]]);
    await t.db.query(
      `WITH s AS (INSERT INTO data_source (catrn, name) VALUES ('//tombs', 's') RETURNING id)
       UPDATE data_entity SET internal_name = 'inner', data_source_id = s.id FROM s
        WHERE data_entity.id = ANY($1)`,
      [[removed, emptied]],
    );
    await remove(removed!, emptied!);
    await purgeDeleted(t.db, after, 10);
    const tombs = await t.db.query(
      `SELECT entity_id, external_name, internal_name, type_id, class_ids, source_catrn,
              catrn LIKE '//test/%' AND purged_at >= created_at AS sane
         FROM entity_tombstone WHERE entity_id = ANY($1) ORDER BY entity_id`,
      [[removed, emptied]],
    );
    const details = { internal_name: "inner", type_id: 1, class_ids: [1], source_catrn: "//tombs" };
    expect(tombs).toEqual([
      { entity_id: removed, external_name: "removed", ...details, sane: true },
      { entity_id: emptied, external_name: "emptied", ...details, sane: true },
    ]);
    const open = await t.db.query(
      "SELECT 1 FROM entity_deletion WHERE entity_id = ANY($1) AND until IS NULL",
      [[removed, emptied]],
    );
    expect(open).toEqual([]);
  });

  it("makes members, run targets, tested datasets and relationship ends hollow", async () => {
    const ids = await insertEntities(t.db, [
      group("group"),
      group("parent", false),
      "member",
      "child",
      "job",
      "tested",
      "test",
      "end",
      "relation",
    ]) as Ids;
    const { group: g, parent, member, child, job, tested, test, end, relation } = ids;
    await insertMembers(t.db, [[g!, member!]], "LIST");
    await insertMembers(t.db, [[parent!, child!]], "PARENT");
    await t.db.query(
      `INSERT INTO task_run (catrn, task_id, kind, name, start_time, status, received_at, batch)
       VALUES ('//run', $1, 'TRANSFORMER', 'run', now(), 'SUCCESS', now(), 'b')`,
      [job],
    );
    await t.db.query("INSERT INTO test_dataset VALUES ($1, $2)", [test, tested]);
    await t.db.query(
      "INSERT INTO relationship (entity_id, kind, source_id, target_id) VALUES ($1, 'ERD', $2, $2)",
      [relation, end],
    );
    await remove(parent!, member!, job!, tested!, end!);
    expect(await purgeDeleted(t.db, after, 20)).toEqual({ found: 5, removed: 0, hollowed: 5 });
    await remove(g!, child!, test!, relation!);
    expect(await purgeDeleted(t.db, after, 20)).toEqual({ found: 4, removed: 4, hollowed: 0 });
    expect(await t.db.query("SELECT 1 FROM group_member WHERE group_id = ANY($1)", [[g, parent]]))
      .toEqual([]);
  });

  it("removes a whole deleted pair that only names itself", async () => {
    const { a, b } = await insertEntities(t.db, ["a", "b"]) as Ids;
    await insertEdges(t.db, [[a!, a!, b!], [b!, a!, b!], [a!, a!, a!]]);
    await remove(a!, b!);
    expect(await purgeDeleted(t.db, after, 10)).toMatchObject({ removed: 2, hollowed: 0 });
  });

  it("leaves no row in any table that refers to entities", async () => {
    const { a, other } = await insertEntities(t.db, ["a", "other"]) as Ids;
    await hangEverythingOn(a!);
    await t.db.query(
      "INSERT INTO alert (entity_id, messenger_id, type, status) VALUES ($1, $2, 1, 1)",
      [
        other,
        a,
      ],
    );
    await remove(a!);
    expect(await purgeDeleted(t.db, after, 10)).toMatchObject({ removed: 1 });
    const counts = await t.db.query<{ n: number }>(
      `SELECT (SELECT count(*) FROM enum_value) + (SELECT count(*) FROM field_tag)
            + (SELECT count(*) FROM field_metadata_value) + (SELECT count(*) FROM dataset_field)
            + (SELECT count(*) FROM dataset_version) + (SELECT count(*) FROM metric_series)
            + (SELECT count(*) FROM entity_tag) + (SELECT count(*) FROM ownership) AS n`,
    );
    expect(counts).toEqual([{ n: 0 }]);
    expect(await t.db.query("SELECT entity_id, messenger_id FROM alert"))
      .toEqual([{ entity_id: other, messenger_id: null }]);
  });

  it("takes what alerts keep of an entity, and leaves those of others open without their tests", async () => {
    const { d, t1, t2, job } = await insertEntities(t.db, ["d", "t1", "t2", "job"]) as Ids;
    await t.db.query(
      `INSERT INTO alert (entity_id, messenger_id, type, status) SELECT $1, m, 2, 1
         FROM unnest($2::bigint[]) m`,
      [d, [t1, t2]],
    );
    await t.db.query("INSERT INTO alert_halt_config (entity_id) VALUES ($1)", [job]);
    await t.db.query(
      `INSERT INTO judged_run (task_id, kind, catrn, ran_at, received_at, failed)
       SELECT task, 'TEST', '//run', now(), now(), true FROM unnest($1::bigint[]) task`,
      [[t1, job]],
    );
    await remove(t1!, t2!, job!);
    expect(await purgeDeleted(t.db, after, 10)).toEqual({ found: 3, removed: 3, hollowed: 0 });
    expect(await t.db.query("SELECT messenger_id, status FROM alert WHERE entity_id = $1", [d]))
      .toEqual([{ messenger_id: null, status: 1 }, { messenger_id: null, status: 1 }]);
  });

  it("leaves alone what is restored while it waits for the row", async () => {
    const { a } = await insertEntities(t.db, ["a"]) as Ids;
    await remove(a!);
    let purge: Promise<unknown> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.query("UPDATE data_entity SET status = 1 WHERE id = $1", [a]);
      purge = purgeDeleted(t.db, after, 10);
      await somebodyWaits(tx);
    });
    expect(await purge).toMatchObject({ removed: 0, hollowed: 0 });
    expect(await fates(a!)).toEqual(["whole"]);
  });
});

type Ids = Record<string, number>;

async function hangEverythingOn(id: number): Promise<void> {
  await seedTag(t.db, id, "tag");
  await seedOwnership(t.db, id, "owner", "title");
  await seedAlert(t.db, id);
  await t.db.query("SELECT refresh_search_documents(ARRAY[$1::bigint])", [id]);
  await t.db.query(
    `WITH f AS (INSERT INTO metadata_field (name, type, origin)
                VALUES ('m', 'STRING', 'EXTERNAL') RETURNING id),
     v AS (INSERT INTO metadata_value SELECT $1, id, 'x' FROM f),
     d AS (INSERT INTO dataset_field (dataset_id, catrn, name, type, is_nullable, hash)
           VALUES ($1, '//field', 'f', 'TYPE_STRING', true, '') RETURNING id),
     s AS (INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
           SELECT $1, 1, '0', array_agg(id) FROM d),
     e AS (INSERT INTO enum_value (field_id, name, origin) SELECT id, 'e', 'EXTERNAL' FROM d),
     g AS (INSERT INTO field_tag SELECT d.id, t.id, 'EXTERNAL' FROM d, tag t),
     w AS (INSERT INTO field_metadata_value SELECT d.id, f.id, 'x' FROM d, f),
     m AS (INSERT INTO metric_family (name, type, unit) VALUES ('n', 'GAUGE', 'u') RETURNING id)
     INSERT INTO metric_series (family_id, catrn, labels, labels_hash, point, point_time)
     SELECT m.id, c.catrn, '{}', '', '{}', now()
       FROM m, (VALUES ('//field'), ((SELECT catrn FROM data_entity WHERE id = $1))) AS c (catrn)`,
    [id],
  );
}
