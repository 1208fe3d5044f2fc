import { system } from "#contract/actor.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { recordActivity } from "#metadata/catalogue/activity.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

/** Creates entities by name, and edges [establisher, parent, child]; returns ids. */
async function graphOf(names: string[], edges: [string, string, string][]) {
  const prefix = crypto.randomUUID();
  const rows = await t.db.query<{ id: number; name: string }>(
    `INSERT INTO data_entity (catrn, external_name) SELECT $1 || n, n FROM unnest($2::text[]) n
     RETURNING id, external_name AS name`,
    [prefix, names],
  );
  const id = Object.fromEntries(rows.map((r) => [r.name, r.id]));
  await t.db.query(
    `INSERT INTO lineage_edge (establisher_id, parent_id, child_id)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
    [0, 1, 2].map((i) => edges.map((e) => id[e[i]!])),
  );
  return id;
}

function setDeleted(ids: number[], deleted: boolean) {
  return t.db.transaction(async (tx) => {
    await tx.query(
      "SELECT FROM data_entity WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
      [ids],
    );
    await tx.query("UPDATE data_entity SET status = $2 WHERE id = ANY($1)", [ids, deleted ? 5 : 1]);
    const rows = await tx.query<{ ids: number[] }>(
      "SELECT lineage_set_deleted($1, $2) AS ids",
      [ids, deleted],
    );
    return rows[0]!.ids;
  });
}

async function liveEdges(ids: Record<string, number>): Promise<string[]> {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const rows = await t.db.query<{ p: number; c: number }>(
    "SELECT parent_id p, child_id c FROM lineage_edge WHERE live AND establisher_id = ANY($1)",
    [Object.values(ids)],
  );
  return rows.map((r) => `${names.get(r.p)}>${names.get(r.c)}`).sort();
}

describe("lineage_set_deleted", () => {
  it("hides every edge that touches a deleted entity, whoever declared it", async () => {
    const id = await graphOf(["a", "b", "c", "job"], [
      ["job", "a", "b"],
      ["b", "a", "b"],
      ["c", "b", "c"],
      ["job", "a", "c"],
    ]);
    expect(await setDeleted([id.b!], true)).toEqual([id.b]);
    expect(await liveEdges(id)).toEqual(["a>c"]);
  });

  it("brings every edge back on restore, except those whose other end is still deleted", async () => {
    const id = await graphOf(["a", "b", "c"], [["a", "a", "b"], ["c", "b", "c"], ["b", "b", "b"]]);
    await setDeleted([id.b!, id.c!], true);
    expect(await liveEdges(id)).toEqual([]);
    expect(await setDeleted([id.b!], false)).toEqual([id.b]);
    expect(await liveEdges(id)).toEqual(["a>b", "b>b"]);
    await setDeleted([id.c!], false);
    expect(await liveEdges(id)).toEqual(["a>b", "b>b", "b>c"]);
  });

  it("returns nothing when no edge changed", async () => {
    const id = await graphOf(["a", "b", "lone"], [["a", "a", "b"]]);
    expect(await setDeleted([id.lone!], true)).toEqual([]);
    await setDeleted([id.a!], true);
    expect(await setDeleted([id.b!], true)).toEqual([]);
  });

  it("opens an interval on deletion, once, and closes it on restore", async () => {
    const { a } = await graphOf(["a"], []);
    const intervals = () =>
      t.db.query<{ open: boolean; sane: boolean }>(
        `SELECT until IS NULL AS open, until IS NULL OR until >= since AS sane
           FROM entity_deletion WHERE entity_id = $1 ORDER BY since`,
        [a],
      );
    await setDeleted([a!], true);
    await setDeleted([a!], true);
    expect(await intervals()).toEqual([{ open: true, sane: true }]);
    await setDeleted([a!], false);
    expect(await intervals()).toEqual([{ open: false, sane: true }]);
  });

  it("judges an edge by both ends when one is deleted while the other is restored", async () => {
    const id = await graphOf(["a", "b"], [["a", "a", "b"]]);
    await setDeleted([id.a!], true);
    for (let round = 0; round < 10; round++) {
      const deleteA = round % 2 === 1;
      await Promise.all([setDeleted([id.a!], deleteA), setDeleted([id.b!], !deleteA)]);
      expect(await liveEdges(id)).toEqual([]);
    }
  });
});

describe("recordActivity", () => {
  it("writes only the member that matches the event, in the order given", async () => {
    await t.db.transaction((tx) =>
      recordActivity(tx, [
        {
          type: "DATA_ENTITY_STATUS_UPDATED",
          entityId: 7,
          actor: { kind: "user", name: "kim", provider: "ldap" },
          before: { status: { status: "STABLE" } },
          after: { status: { status: "DELETED" } },
        },
        {
          type: "BUSINESS_NAME_UPDATED",
          entityId: 7,
          actor: system,
          after: { internal_name: 'a "quoted", {name}' },
        },
      ])
    );
    const rows = await t.db.query(
      `SELECT event_type, created_by, created_by_provider AS provider, system_event, old_state, new_state
         FROM activity WHERE entity_id = 7 ORDER BY id`,
    );
    expect(rows).toEqual([
      {
        event_type: "DATA_ENTITY_STATUS_UPDATED",
        created_by: "kim",
        provider: "ldap",
        system_event: false,
        old_state: { status: { status: { status: "STABLE" } } },
        new_state: { status: { status: { status: "DELETED" } } },
      },
      {
        event_type: "BUSINESS_NAME_UPDATED",
        created_by: null,
        provider: "",
        system_event: true,
        old_state: {},
        new_state: { business_name: { internal_name: 'a "quoted", {name}' } },
      },
    ]);
  });

  it("does nothing for no events", async () => {
    await t.db.transaction((tx) => recordActivity(tx, []));
    expect(await t.db.query("SELECT 1 FROM activity WHERE entity_id = 8")).toEqual([]);
  });
});
