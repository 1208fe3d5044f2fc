import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(() => test.drop());

async function entity(name: string, more: Record<string, unknown> = {}): Promise<number> {
  const columns = { catrn: `//t/${crypto.randomUUID()}`, external_name: name, type_id: 1, ...more };
  const names = Object.keys(columns);
  const rows = await test.db.query<{ id: number }>(
    `INSERT INTO data_entity (${names.join(",")})
     VALUES (${names.map((_, i) => `$${i + 1}`).join(",")}) RETURNING id`,
    Object.values(columns),
  );
  return rows[0]!.id;
}

const refresh = (ids: number[]) => test.db.query("SELECT refresh_search_documents($1)", [ids]);

async function found(typed: string): Promise<number[]> {
  const rows = await test.db.query<{ entity_id: number }>(
    "SELECT entity_id FROM search_document WHERE vector @@ search_query($1) ORDER BY 1",
    [typed],
  );
  return rows.map((row) => row.entity_id);
}

describe("refresh_search_documents", () => {
  it("finds an identifier by its pieces, whole, and by the start of a word", async () => {
    const id = await entity("sales.order_items");
    await refresh([id]);
    for (const typed of ["order", "items", "order_items", "ord", "sales.ord", "ITEMS sales"]) {
      expect(await found(typed), typed).toContain(id);
    }
    const quoted = await entity("“fish”—chips\u00a0vinegar");
    await refresh([quoted]);
    expect(await found("fish chips vinegar")).toEqual([quoted]);
    expect(await found("rder")).not.toContain(id);
    expect(await found("order missing")).not.toContain(id);
  });

  it("finds camel case by its parts and by the whole word in any case", async () => {
    const [camel, plain] = [await entity("customerLedgerV2"), await entity("ledgers")];
    await refresh([camel, plain]);
    for (const typed of ["ledger", "customerledger", "CustomerLedger", "customer_ledger"]) {
      expect(await found(typed), typed).toContain(camel);
    }
    expect(await found("ledgerS")).toContain(plain);
  });

  it("folds the case of letters beyond ASCII", async () => {
    const id = await entity("Größe ÉTÉ заказы");
    await refresh([id]);
    for (const typed of ["größe", "GRÖß", "été", "ЗАКАЗ"]) {
      expect(await found(typed), typed).toContain(id);
    }
  });

  it("cuts values that are too large for a vector instead of failing", async () => {
    const words = Array.from({ length: 200_000 }, (_, i) => `w${i.toString(36)}`).join(" ");
    const wide = Array.from(
      { length: 200_000 },
      (_, i) => String.fromCodePoint(0x20000 + i % 40_000),
    )
      .join(" ");
    const id = await entity(`huge_${"x".repeat(5_000)} tail`, {
      external_description: words,
      internal_description: wide,
    });
    await refresh([id]);
    expect(await found("huge tail")).toContain(id);
  });

  it("finds every column of a dataset of 12,000, and cuts descriptions first", async () => {
    const id = await entity("wide_table");
    await test.db.query(
      `WITH f AS (INSERT INTO dataset_field (dataset_id, catrn, name, type, is_nullable, hash, external_description)
                  SELECT $1, '//f/' || n, 'column_number_' || n, 'TYPE_STRING', true, sha256(n::text::bytea), 'described' || n || repeat(' word', 10)
                    FROM generate_series(1, 12000) n RETURNING id)
       INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
       SELECT $1, 1, 'h', array_agg(id) FROM f`,
      [id],
    );
    await refresh([id]);
    for (const n of [1, 5_000, 11_999, 12_000]) {
      expect(await found(`wide column_number_${n}`), String(n)).toEqual([id]);
    }
    const [cut] = await test.db.query<{ bytes: number }>(
      "SELECT cut_bytes AS bytes FROM search_document WHERE entity_id = $1",
      [id],
    );
    expect(cut!.bytes).toBeGreaterThan(100_000);
  });

  it.each([
    ["ASCII", "abc ".repeat(10), 21],
    ["letters of two bytes", "äöü ".repeat(10), 21],
    ["letters of four bytes", "\u{20000}\u{20001} ".repeat(10), 30],
  ])("cuts %s at the end of the last word that fits", async (_, text, bytes) => {
    const [row] = await test.db.query<{ cut: string }>("SELECT search_cut($1, $2) AS cut", [
      text,
      bytes,
    ]);
    const size = (value: string) => new TextEncoder().encode(value).length;
    const word = text.split(" ")[0]!;
    expect(text.startsWith(row!.cut)).toBe(true);
    expect(row!.cut.endsWith(`${word} `)).toBe(true);
    expect(size(row!.cut)).toBeLessThanOrEqual(bytes);
    expect(size(row!.cut)).toBeGreaterThan(bytes - size(word) - 1);
  });

  it("removes the documents of hollow, excluded and purged entities", async () => {
    const ids = [
      await entity("vanish one"),
      await entity("vanish two"),
      await entity("vanish three"),
    ];
    await refresh(ids);
    expect(await found("vanish")).toEqual(ids);
    await test.db.query("UPDATE data_entity SET hollow = true WHERE id = $1", [ids[0]]);
    await test.db.query("UPDATE data_entity SET excluded_from_search = true WHERE id = $1", [
      ids[1],
    ]);
    await refresh(ids);
    expect(await found("vanish")).toEqual([ids[2]]);
  });

  it("keeps deleted entities searchable", async () => {
    const id = await entity("bygone", { status: 5 });
    await refresh([id]);
    expect(await found("bygone")).toEqual([id]);
  });

  it("weighs a name above a description", async () => {
    const named = await entity("turnover");
    const described = await entity("other", { external_description: "turnover" });
    await refresh([described, named]);
    const rows = await test.db.query<{ entity_id: number }>(
      `SELECT entity_id FROM search_document WHERE vector @@ search_query('turnover')
       ORDER BY ts_rank(vector, search_query('turnover')) DESC`,
    );
    expect(rows.map((row) => row.entity_id)).toEqual([named, described]);
  });

  it("takes every aspect of an entity: source, namespace, tags, metadata, owners, fields", async () => {
    const [row] = await test.db.query<{ id: number }>(`
      WITH ns AS (INSERT INTO namespace (name) VALUES ('nsquark') RETURNING id),
        src AS (INSERT INTO data_source (catrn, name, namespace_id)
          SELECT '//srccatrn/h', 'srcname', id FROM ns RETURNING id)
      INSERT INTO data_entity (catrn, external_name, type_id, data_source_id)
      SELECT '//aspects', 'aspects', 1, id FROM src RETURNING id`);
    const id = row!.id;
    await test.db.query(
      `WITH t AS (INSERT INTO tag (name) VALUES ('tagword') RETURNING id),
        et AS (INSERT INTO entity_tag SELECT $1, id, 'INTERNAL' FROM t),
        mf AS (INSERT INTO metadata_field (name, type, origin)
          VALUES ('metaname', 'STRING', 'EXTERNAL') RETURNING id),
        mv AS (INSERT INTO metadata_value SELECT $1, id, 'metavalue' FROM mf),
        ow AS (INSERT INTO owner (name) VALUES ('ownername') RETURNING id),
        ti AS (INSERT INTO title (name) VALUES ('titleword') RETURNING id),
        os AS (INSERT INTO ownership (entity_id, owner_id, title_id)
          SELECT $1, ow.id, ti.id FROM ow, ti),
        f AS (INSERT INTO dataset_field
            (dataset_id, catrn, name, external_description, type, is_nullable, hash)
          VALUES ($1, '//f/new', 'fieldname', 'fielddescription', 'TYPE_STRING', true, ''),
            ($1, '//f/old', 'bygonefield', NULL, 'TYPE_STRING', true, '') RETURNING id, catrn)
       INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
       SELECT $1, CASE catrn WHEN '//f/old' THEN 1 ELSE 2 END, catrn, ARRAY[id] FROM f`,
      [id],
    );
    await refresh([id]);
    for (
      const typed of ["nsquark", "srcname", "srccatrn", "tagword", "metaname", "metavalue"].concat([
        "ownername",
        "titleword",
        "fieldname",
        "fielddescription",
      ])
    ) expect(await found(typed), typed).toEqual([id]);
    expect(await found("bygonefield")).toEqual([]);
  });
});

describe("search_query", () => {
  it("takes any characters without an error", async () => {
    const strange = `"'&|!():*<>\\ 😀 %_ \\x ''; -- ${"long".repeat(50_000)} ${
      "a b ".repeat(9_000)
    }`;
    expect(await found(strange)).toEqual([]);
    for (const c of strange.slice(0, 40)) await found(c);
  });

  it("is null where nothing can be looked up", async () => {
    const [row] = await test.db.query("SELECT search_query($1) AS q", ["  &|!():*<>\\ \"' "]);
    expect(row!.q).toBeNull();
  });
});
