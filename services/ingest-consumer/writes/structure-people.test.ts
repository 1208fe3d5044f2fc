import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { somebodyWaits } from "#test/support/engines/database.ts";
import { field, type Harness, harness, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

let n = 0;
let p = "";
beforeEach(() => void (p = `//people${n++}`));

const changed = { type: { type: "TYPE_INTEGER", is_nullable: false } };
const post = (...fields: ReturnType<typeof field>[]) =>
  at.post([table(p, { dataset: { field_list: fields } })]);

interface StoredField {
  id: number;
  external_description: string | null;
}
/** Fields of the latest version, in order. */
const latest = () =>
  at.rows<StoredField>(
    `SELECT f.* FROM data_entity e JOIN dataset_version_field x ON x.version_id = latest_version(e.id)
       JOIN dataset_field f ON f.id = x.field_id WHERE e.catrn = $1 ORDER BY x.ordinal`,
    p,
  );

describe("what people wrote about a field that goes and comes back", () => {
  const people = async (id: number) => {
    await at.db.query(
      `UPDATE dataset_field SET internal_name = 'amount', internal_description = 'cents' WHERE id = $1`,
      [id],
    );
    await at.db.query(
      `WITH n AS (INSERT INTO namespace (name) VALUES ($2) RETURNING id),
       t AS (INSERT INTO term (namespace_id, name, definition) SELECT id, 'revenue', '' FROM n RETURNING id)
       INSERT INTO field_term SELECT $1, id FROM t`,
      [id, p],
    );
    await at.db.query("INSERT INTO field_mention VALUES ($1, $2, 'cost')", [id, p]);
  };
  const written = async (id: number) =>
    (await at.rows(
      `SELECT f.internal_name AS name, f.internal_description AS text,
              (SELECT array_agg(t.name) FROM field_term x JOIN term t ON t.id = x.term_id
                WHERE x.field_id = f.id) AS terms,
              (SELECT array_agg(m.name) FROM field_mention m WHERE m.field_id = f.id) AS mentions
         FROM dataset_field f WHERE f.id = $1`,
      id,
    ))[0];
  const all = { name: "amount", text: "cents", terms: ["revenue"], mentions: ["cost"] };

  it("is copied to the row of another type", async () => {
    await post(field("a"));
    const [first] = await latest();
    await people(first!.id);
    await post(field("a", changed));
    const [second] = await latest();
    expect(second!.id).not.toBe(first!.id);
    expect([await written(first!.id), await written(second!.id)]).toEqual([all, all]);
  });

  it("is there when the field comes back as it was, in its own row", async () => {
    await post(field("a"), field("b"));
    const [first] = await latest();
    await people(first!.id);
    await post(field("b"));
    await post(field("b", changed));
    await post(field("a", { description: "again" }), field("b", changed));
    const [back] = await latest();
    expect([back!.id, back!.external_description]).toEqual([first!.id, "again"]);
    expect(await written(back!.id)).toEqual(all);
  });

  it("is copied when it comes back with another type, of what was written last", async () => {
    await post(field("a"));
    await people((await latest())[0]!.id);
    await post(field("a", changed));
    const [second] = await latest();
    await at.db.query("UPDATE dataset_field SET internal_name = 'later' WHERE id = $1", [
      second!.id,
    ]);
    await post();
    await post(field("a", { is_key: true }));
    const [back] = await latest();
    expect(await written(back!.id)).toEqual({ ...all, name: "later" });
  });

  it("is not that of another dataset's field", async () => {
    await post(field("a"));
    await people((await latest())[0]!.id);
    p = `${p}/other`;
    await post(field("b"));
    await post(field("a"));
    expect(await written((await latest())[0]!.id))
      .toEqual({ name: null, text: null, terms: null, mentions: null });
  });
});

it("a term or a tag that is deleted meanwhile is not copied, and stops no batch", async () => {
  await post(field("a"));
  const [{ id }] = await latest() as [StoredField];
  await at.db.query(
    `WITH n AS (INSERT INTO namespace (name) VALUES ($2) RETURNING id),
     t AS (INSERT INTO term (namespace_id, name, definition) SELECT id, 'gone', '' FROM n RETURNING id),
     l AS (INSERT INTO field_term SELECT $1, id FROM t),
     g AS (INSERT INTO tag (name) VALUES ($2) RETURNING id)
     INSERT INTO field_tag SELECT $1, id, 'INTERNAL' FROM g`,
    [id, p],
  );
  let posted: Promise<string>;
  await at.db.transaction(async (tx) => {
    await tx.query("DELETE FROM field_tag WHERE field_id = $1", [id]);
    await tx.query("DELETE FROM tag WHERE name = $1", [p]);
    await tx.query("DELETE FROM term WHERE name = 'gone'");
    posted = post(field("a", changed));
    await somebodyWaits(tx);
  });
  expect(await posted!).toBe("applied");
  const [now] = await latest();
  const left =
    "SELECT FROM field_tag WHERE field_id = $1 UNION ALL SELECT FROM field_term WHERE field_id = $1";
  expect(await at.rows(left, now!.id)).toEqual([]);
  expect(at.deadLetters).toEqual([]);
});
