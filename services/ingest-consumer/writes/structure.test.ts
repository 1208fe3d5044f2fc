import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { field, type Harness, harness, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

let n = 0;
let p = "";
beforeEach(() => void (p = `//s${n++}`));

type Fields = ReturnType<typeof field>[];
const post = (...fields: Fields) => at.post([table(p, { dataset: { field_list: fields } })]);
const versions = async () => (await at.rows<{ version: number; hash: string }>(
  `SELECT version, hash FROM dataset_version v JOIN data_entity e ON e.id = v.dataset_id
      WHERE e.catrn = $1 ORDER BY version`,
  p,
));

interface StoredField {
  id: number;
  catrn: string;
  [column: string]: unknown;
}
/** Fields of the latest version, in order. */
const latest = () =>
  at.rows<StoredField>(
    `SELECT f.*, x.ordinal FROM dataset_version_field x JOIN dataset_field f ON f.id = x.field_id
      WHERE x.version_id = (SELECT v.id FROM dataset_version v JOIN data_entity e
        ON e.id = v.dataset_id WHERE e.catrn = $1 ORDER BY version DESC LIMIT 1) ORDER BY x.ordinal`,
    p,
  );
const tagsOf = async (id: number) =>
  (await at.rows<{ t: string }>(
    `SELECT t.name || ' ' || x.origin AS t FROM field_tag x JOIN tag t ON t.id = x.tag_id
      WHERE x.field_id = $1 ORDER BY 1`,
    id,
  )).map((row) => row.t);
const enumsOf = async (id: number) =>
  (await at.rows<{ v: string }>(
    `SELECT concat_ws(' ', name, description, origin) AS v FROM enum_value WHERE field_id = $1 ORDER BY 1`,
    id,
  )).map((row) => row.v);
const metadataOf = (id: number) =>
  at.rows(
    `SELECT m.name, m.type, v.value FROM field_metadata_value v
       JOIN metadata_field m ON m.id = v.metadata_field_id WHERE v.field_id = $1 ORDER BY 1`,
    id,
  );
const extension = (metadata: Record<string, unknown>) => [{ schema_url: "http://x", metadata }];
const changed = { type: { type: "TYPE_INTEGER", is_nullable: false } };
const stats = (high: number, tags?: string[]) => ({
  integer_stats: { low_value: 1, high_value: high, nulls_count: 0, unique_count: 9 },
  tags: tags?.map((name) => ({ name })),
});

describe("writeStructure versions", () => {
  it("begins with version 1; without fields its hash is 0", async () => {
    await post();
    expect(await versions()).toEqual([{ version: 1, hash: "0" }]);
  });

  it("keeps the version and its rows when nothing hashed changed; the rest and the order change in place", async () => {
    await post(field(`${p}/a`), field(`${p}/b`));
    const before = await latest();
    await post(
      field(`${p}/b`, { description: "b", default_value: "7", is_sort_key: true }),
      field(`${p}/a`),
    );
    expect(await versions()).toHaveLength(1);
    const after = await latest();
    expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id).reverse());
    expect(after[0]).toMatchObject({
      external_description: "b",
      default_value: "7",
      is_sort_key: true,
    });
  });

  it.each<[string, (f: () => Fields) => Fields]>([
    ["a field is added", (f) => [...f(), field(`${p}/new`)]],
    ["a field is gone", (f) => f().slice(1)],
    ["a type changed", (f) => [f()[0]!, field(`${p}/b`, changed)]],
    ["a name changed", (f) => [f()[0]!, field(`${p}/b`, { name: "other" })]],
    ["a key changed", (f) => [f()[0]!, field(`${p}/b`, { is_primary_key: true })]],
  ])("makes a version when %s and reuses the rows of the fields that did not", async (_w, next) => {
    const fields = () => [field(`${p}/a`), field(`${p}/b`)];
    await post(...fields());
    const before = new Map((await latest()).map((row) => [row.catrn, row]));
    await post(...next(fields));
    expect((await versions()).map((row) => row.version)).toEqual([1, 2]);
    for (const row of await latest()) {
      const old = before.get(row.catrn);
      if (old?.hash && (row.hash as Uint8Array).toString() === old.hash.toString()) {
        expect(row.id).toBe(old.id);
      } else expect(row.id).not.toBe(old?.id);
    }
  });

  it("starts at version 1 when a hollow dataset is filled", async () => {
    await at.post([table(`${p}/down`, { dataset: { parent_catrn: p, field_list: [] } })]);
    await post(field(`${p}/a`));
    expect((await versions()).map((row) => row.version)).toEqual([1]);
  });
});

describe("writeStructure fields", () => {
  it("hands on what people gave a field to the row that takes its place", async () => {
    await post(field(`${p}/a`, { tags: [{ name: "theirs" }], stats: stats(5, ["statistical"]) }));
    const [old] = await latest();
    await at.rows(
      "UPDATE dataset_field SET internal_name = 'Mine', internal_description = 'd' WHERE id = $1",
      old!.id,
    );
    await at.rows("INSERT INTO tag (name) VALUES ($1)", `${p} mine`);
    await at.rows(
      "INSERT INTO field_tag SELECT $1, id, 'INTERNAL' FROM tag WHERE name = $2",
      old!.id,
      `${p} mine`,
    );
    await at.rows(
      "INSERT INTO enum_value (field_id, name, origin) VALUES ($1, 'x', 'INTERNAL')",
      old!.id,
    );
    await post(field(`${p}/a`, { ...changed, tags: [{ name: "theirs now" }] }));
    const [now] = await latest();
    expect(now!.id).not.toBe(old!.id);
    expect(now).toMatchObject({
      internal_name: "Mine",
      internal_description: "d",
      type: "TYPE_INTEGER",
      stats: { integer_stats: { high_value: 5 } },
    });
    expect(await tagsOf(now!.id)).toEqual([
      `${p} mine INTERNAL`,
      "statistical EXTERNAL_STATISTICS",
      "theirs now EXTERNAL",
    ]);
    expect(await enumsOf(now!.id)).toEqual(["x INTERNAL"]);
  });

  it("keeps old statistics when the payload has none, else takes the new with their tags", async () => {
    await post(field(`${p}/a`, { stats: stats(5, ["one"]) }));
    await post(field(`${p}/a`, { description: "no statistics" }));
    const [retained] = await latest();
    expect(retained).toMatchObject({ stats: { integer_stats: { high_value: 5 } } });
    expect(await tagsOf(retained!.id)).toEqual(["one EXTERNAL_STATISTICS"]);
    await post(field(`${p}/a`, { stats: stats(6, ["two"]) }));
    const [now] = await latest();
    expect(now).toMatchObject({ id: retained!.id, stats: { integer_stats: { high_value: 6 } } });
    expect(now!.stats).not.toHaveProperty("tags");
    expect(await tagsOf(now!.id)).toEqual(["two EXTERNAL_STATISTICS"]);
  });

  it("replaces external tags and metadata of a field", async () => {
    await post(field(`${p}/a`, { tags: [{ name: "old" }], metadata: extension({ a: 1, b: "x" }) }));
    await post(field(`${p}/a`, { tags: [{ name: "new" }], metadata: extension({ b: "y" }) }));
    const [row] = await latest();
    expect(await tagsOf(row!.id)).toEqual(["new EXTERNAL"]);
    expect(await metadataOf(row!.id)).toEqual([{ name: "b", type: "STRING", value: "y" }]);
  });

  it("replaces enum values when a list is sent, and keeps them when it is empty or absent", async () => {
    const values = (...list: [string, string][]) => ({
      enum_values: list.map(([name, description]) => ({ name, description })),
    });
    await post(field(`${p}/a`, values(["x", "one"], ["y", "two"])));
    await post(field(`${p}/a`, values(["y", "deux"], ["z", "trois"])));
    const [row] = await latest();
    expect(await enumsOf(row!.id)).toEqual(["y deux EXTERNAL", "z trois EXTERNAL"]);
    await post(field(`${p}/a`, { ...values(), description: "told" }));
    expect(await enumsOf(row!.id)).toHaveLength(2);
    await post(field(`${p}/a`, changed));
    const [next] = await latest();
    expect(next!.id).not.toBe(row!.id);
    expect(await enumsOf(next!.id)).toEqual(["y deux EXTERNAL", "z trois EXTERNAL"]);
  });

  it("keeps parents and references between fields", async () => {
    await post(
      field(`${p}/a`),
      field(`${p}/a/b`, { parent_field_catrn: `${p}/a` }),
      field(`${p}/r`, {
        type: { type: "TYPE_REFERENCE", is_nullable: false, logical_type: "ref" },
        reference_catrn: `${p}/a`,
      }),
    );
    expect(await latest()).toMatchObject([
      { catrn: `${p}/a`, ordinal: 1 },
      { parent_catrn: `${p}/a`, ordinal: 2 },
      { reference_catrn: `${p}/a`, logical_type: "ref", is_nullable: false, ordinal: 3 },
    ]);
  });
});
