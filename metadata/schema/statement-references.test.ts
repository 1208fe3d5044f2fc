import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqlState } from "#metadata/postgres/database.ts";
import { somebodyWaits, type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

const violation = "23503";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const entity = async () =>
  (await t.db.query<{ id: number }>(
    "INSERT INTO data_entity (catrn) VALUES (gen_random_uuid()::text) RETURNING id",
  ))[0]!.id;
const tag = async () =>
  (await t.db.query<{ id: number }>(
    "INSERT INTO tag (name) VALUES (gen_random_uuid()::text) RETURNING id",
  ))[0]!.id;
const stateOf = (work: Promise<unknown>) => work.then(() => "done", sqlState);
const hang = "INSERT INTO entity_tag SELECT unnest($1::bigint[]), $2, 'EXTERNAL'";

describe("references that are looked up once a statement", () => {
  it("refuse a row that names what is not there, and all rows of its statement", async () => {
    const [known, name] = [await entity(), await tag()];
    expect(await stateOf(t.db.query(hang, [[known, 999_999_999], name]))).toBe(violation);
    expect(await stateOf(t.db.query(hang, [[known], 999_999_999]))).toBe(violation);
    expect(await t.db.query("SELECT FROM entity_tag WHERE entity_id = $1", [known])).toEqual([]);
    expect(await stateOf(t.db.query(hang, [[known], name]))).toBe("done");
  });

  it("refuse to delete what is named", async () => {
    const [known, other, name] = [await entity(), await entity(), await tag()];
    await t.db.query(hang, [[known], name]);
    const remove = "DELETE FROM data_entity WHERE id = ANY($1::bigint[])";
    expect(await stateOf(t.db.query(remove, [[other, known]]))).toBe(violation);
    expect(await stateOf(t.db.query("DELETE FROM tag WHERE id = $1", [name]))).toBe(violation);
    await t.db.query("DELETE FROM entity_tag WHERE entity_id = $1", [known]);
    expect(await stateOf(t.db.query(remove, [[other, known]]))).toBe("done");
  });

  it("refuse to name something else", async () => {
    const [known, other, name] = [await entity(), await entity(), await tag()];
    await t.db.query(hang, [[known], name]);
    const turn = t.db.query("UPDATE entity_tag SET entity_id = $2 WHERE entity_id = $1", [
      known,
      other,
    ]);
    expect(await stateOf(turn)).toBe("23000");
  });

  it("let a delete wait for whoever names the row, and fail", async () => {
    const [known, name] = [await entity(), await tag()];
    let removed: Promise<unknown> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.query(hang, [[known], name]);
      removed = stateOf(t.db.query("DELETE FROM data_entity WHERE id = $1", [known]));
      await somebodyWaits(tx);
    });
    expect(await removed).toBe(violation);
  });

  it("let whoever names a row wait for its delete, and fail", async () => {
    const [known, name] = [await entity(), await tag()];
    let named: Promise<unknown> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.query("DELETE FROM tag WHERE id = $1", [name]);
      named = stateOf(t.db.query(hang, [[known], name]));
      await somebodyWaits(tx);
    });
    expect(await named).toBe(violation);
  });

  it("are those of the list, each with its triggers", async () => {
    const rows = await t.db.query<{ name: string }>(
      `SELECT c.relname || ' ' || tgname AS name FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
        WHERE tgname IN ('reference_checked', 'reference_fixed', 'referred_to')
          AND tgparentid = 0 -- not those that partitions have of their table
        ORDER BY 1`,
    );
    const listed = await t.db.query<{ name: string }>(
      `SELECT DISTINCT name FROM statement_reference, LATERAL (VALUES
         (referring || ' reference_checked'), (referring || ' reference_fixed'),
         (referred || ' referred_to')) AS n (name) ORDER BY 1`,
    );
    expect(rows).toEqual(listed);
    expect(rows.length).toBeGreaterThan(20);
  });
});
