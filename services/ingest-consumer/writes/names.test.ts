import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, harness, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

const tagsOf = async (catrn: string) =>
  (await at.rows<{ t: string }>(
    `SELECT t.name || ' ' || x.origin AS t FROM entity_tag x JOIN tag t ON t.id = x.tag_id
       JOIN data_entity e ON e.id = x.entity_id WHERE e.catrn = $1 ORDER BY 1`,
    catrn,
  )).map((row) => row.t);
const metadataOf = (catrn: string) =>
  at.rows(
    `SELECT f.name, f.type, f.origin, v.value FROM metadata_value v
       JOIN metadata_field f ON f.id = v.field_id JOIN data_entity e ON e.id = v.entity_id
      WHERE e.catrn = $1 ORDER BY f.name, f.type`,
    catrn,
  );
const tags = (...names: string[]) => ({ tags: names.map((name) => ({ name })) });
const metadata = (...maps: Record<string, unknown>[]) => ({
  metadata: maps.map((map) => ({ schema_url: "http://x", metadata: map })),
});

describe("writeTags", () => {
  it("replaces tags of the sender and keeps those of people", async () => {
    await at.post([table("//n/a", tags("one", "two", "one"))]);
    await at.rows(
      `INSERT INTO entity_tag SELECT e.id, t.id, 'INTERNAL' FROM data_entity e, tag t
        WHERE e.catrn = '//n/a' AND t.name = 'one'`,
    );
    expect(await tagsOf("//n/a")).toEqual(["one EXTERNAL", "one INTERNAL", "two EXTERNAL"]);
    await at.post([table("//n/a", tags("three"))]);
    expect(await tagsOf("//n/a")).toEqual(["one INTERNAL", "three EXTERNAL"]);
    await at.post([table("//n/a")]);
    expect(await tagsOf("//n/a")).toEqual(["one INTERNAL"]);
  });
});

describe("spellings of one name", () => {
  const count = async (kind: string, name: string) =>
    (await at.rows(`SELECT name FROM ${kind} WHERE folded = name_key($1)`, name)).length;

  it("are one tag, in one item, in two batches at once, and of columns", async () => {
    await at.post([table("//n/spelled", tags("Café", "CAFÉ", "café".normalize("NFD")))]);
    expect(await tagsOf("//n/spelled")).toEqual(["Café EXTERNAL"]);
    await Promise.all(
      ["both", "Both", "BOTH"].map((name) => at.post([table(`//n/both/${name}`, tags(name))])),
    );
    expect(await count("tag", "both")).toBe(1);
    const field = (name: string) => ({
      catrn: `//n/cols/${name}`,
      name,
      type: { type: "TYPE_STRING", is_nullable: true },
      tags: [{ name: "café" }, { name: "cAFÉ" }],
      stats: { tags: [{ name: "CAFé" }] },
    });
    await at.post([table("//n/cols", { dataset: { field_list: [field("a")] } })]);
    expect(await count("tag", "café")).toBe(1);
  });

  it("are one owner, by the title of the first", async () => {
    const owners = [{ name: "Ann", title: "Steward" }, { name: "ANN", title: "steward" }];
    await at.post([table("//n/owned", { owners })]);
    expect(
      await at.rows(
        `SELECT w.name, t.name AS title FROM ownership o JOIN owner w ON w.id = o.owner_id
           JOIN title t ON t.id = o.title_id JOIN data_entity e ON e.id = o.entity_id
          WHERE e.catrn = '//n/owned'`,
      ),
    ).toEqual([{ name: "Ann", title: "Steward" }]);
    expect(await count("title", "STEWARD")).toBe(1);
  });

  it("that are rows already mean their own row", async () => {
    await at.rows("INSERT INTO tag (name) VALUES ('Stored'), ('stored')");
    await at.post([table("//n/stored", tags("stored", "STORED"))]);
    expect(await tagsOf("//n/stored")).toEqual(["Stored EXTERNAL", "stored EXTERNAL"]);
  });
});

describe("writeMetadata", () => {
  it("reads the first extension alone, each value with its type, nulls left out", async () => {
    const first = {
      rows: 5,
      ratio: 0.5,
      on: true,
      at: "2024-01-01T00:00:00Z",
      list: [1],
      none: null,
    };
    await at.post([table("//n/m", metadata(first, { second: 1 }))]);
    expect(await metadataOf("//n/m")).toEqual([
      { name: "at", type: "DATETIME", origin: "EXTERNAL", value: "2024-01-01T00:00:00Z" },
      { name: "list", type: "ARRAY", origin: "EXTERNAL", value: "[1]" },
      { name: "on", type: "BOOLEAN", origin: "EXTERNAL", value: "true" },
      { name: "ratio", type: "FLOAT", origin: "EXTERNAL", value: "0.5" },
      { name: "rows", type: "INTEGER", origin: "EXTERNAL", value: "5" },
    ]);
  });

  it("replaces values of the sender and keeps those of people", async () => {
    await at.post([table("//n/r", metadata({ size: 1, gone: "x" }))]);
    await at.rows(
      `WITH f AS (INSERT INTO metadata_field (name, type, origin) VALUES ('note', 'STRING', 'INTERNAL')
         RETURNING id)
       INSERT INTO metadata_value SELECT e.id, f.id, 'mine' FROM data_entity e, f
        WHERE e.catrn = '//n/r'`,
    );
    await at.post([table("//n/r", metadata({ size: "large" }))]);
    expect(await metadataOf("//n/r")).toEqual([
      { name: "note", type: "STRING", origin: "INTERNAL", value: "mine" },
      { name: "size", type: "STRING", origin: "EXTERNAL", value: "large" },
    ]);
  });
});
