import { afterAll, beforeAll, expect, it } from "vitest";
import { tsvectors } from "#metadata/postgres/array-parameters.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seeded } from "#test/support/random.ts";
import { type SearchTexts, searchVector } from "./search-vector.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const none: SearchTexts = {
  name: "",
  tags: [],
  description: "",
  named: [],
  prose: [],
  values: [],
};
const named = (name: string): SearchTexts => ({ ...none, name });

/** The steps of `search_documents`, on texts that are given. */
const expected = `
  SELECT n, ours::text, theirs::text FROM (
    SELECT n, ours,
           setweight(to_tsvector('simple', search_words(concat_ws(' ', a, search_camel(a)))), 'A') ||
           setweight(to_tsvector('simple', search_words(concat_ws(' ', b, search_camel(b), prose))), 'B') ||
           setweight(to_tsvector('simple', search_words(concat_ws(' ', c, search_camel(c), d))), 'C') ||
           setweight(to_tsvector('simple', search_words(e)), 'D') AS theirs
      FROM unnest($1::tsvector[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        WITH ORDINALITY AS x (ours, a, b, prose, c, d, e, n)) vectors
   WHERE ours <> theirs`;

/** Those whose vector is not PostgreSQL's, with both; throws when all are left to PostgreSQL. */
async function differing(all: SearchTexts[]): Promise<unknown[]> {
  const made = all.flatMap((texts) => {
    const vector = searchVector(texts);
    return vector ? [{ texts, vector }] : [];
  });
  if (made.length === 0) throw new Error("no vector was made");
  const column = (pick: (texts: SearchTexts) => string) => made.map(({ texts }) => pick(texts));
  const rows = await t.db.query<{ n: number }>(expected, [
    tsvectors(made.map(({ vector }) => vector)),
    column(({ name }) => name),
    column(({ tags }) => tags.join(" ")),
    column(({ description }) => description),
    column(({ named }) => named.join(" ")),
    column(({ prose }) => prose.join(" ")),
    column(({ values }) => values.join(" ")),
  ]);
  return rows.map((row) => ({ ...row, texts: made[row.n - 1]!.texts }));
}

/** All texts of up to `length` of these characters. */
function allOf(characters: string, length: number): string[] {
  const shorter = length > 1 ? allOf(characters, length - 1) : [""];
  return [...new Set(shorter.flatMap((text) => [text, ...[...characters].map((c) => text + c)]))];
}

const ascii = Array.from({ length: 127 }, (_, n) => String.fromCharCode(n + 1));

it("parts each ASCII character from letters, numbers and exponents as PostgreSQL does", async () => {
  const texts = ascii.flatMap((character) => allOf(`ae1${character}`, 4));
  expect(await differing(texts.map(named))).toEqual([]);
});

it("ends numbers with an exponent where PostgreSQL does", async () => {
  expect(await differing(allOf("ez09", 7).map(named))).toEqual([]);
  expect(await differing(["1e5x", "12E34abc", "1e5e6", "a1e5b", "0x1e5f", "9e0a1"].map(named)))
    .toEqual([]);
});

it("gives all texts of an entity the weights and places that PostgreSQL gives them", async () => {
  const seed = 20_261_125;
  const next = seeded(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const word = () => one(["order", "Items", "orderItems", "HTTPServer", "V2", "a", "1e5", "42"]);
  const text = (max: number) =>
    Array.from({ length: Math.floor(next() * max) }, () => word() + one(["_", " ", one(ascii)]))
      .join("");
  const list = (max: number) => Array.from({ length: Math.floor(next() * max) }, () => text(3));
  const all = Array.from({ length: 2_000 }, (): SearchTexts => ({
    name: text(4),
    tags: list(3),
    description: text(12),
    named: list(8),
    prose: list(8),
    values: list(4),
  }));
  expect(await differing(all), `seed ${seed}`).toEqual([]);
});

it("leaves to PostgreSQL what only it can tell", () => {
  for (const name of ["größe", "~home", "a\u2014b", "\u3000"]) {
    expect(searchVector(named(name)), name).toBeNull();
  }
  const long = (length: number, text = "a ") => text.repeat(length);
  expect(searchVector(named(long(3_501))), "a long name").toBeNull();
  expect(searchVector({ ...none, description: long(201) }), "a word in many places").toBeNull();
  expect(searchVector({ ...none, description: "a".repeat(2_001) }), "a long word").toBeNull();
  const words = Array.from({ length: 8_001 }, (_, n) => `w${n % 4_000}`);
  expect(searchVector({ ...none, values: words }), "many words").toBeNull();
  expect(searchVector({ ...none, prose: [long(30_001, ". ")] }), "much text").toBeNull();
});

it("takes what is just within its bounds, and is the same after what was beyond them", async () => {
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n % 4_000}`);
  const within: SearchTexts[] = [
    named("ab ".repeat(200)),
    named("aB".repeat(100)),
    { ...none, description: "a".repeat(2_000) },
    { ...none, values: words(8_000) },
    { ...none, prose: [". ".repeat(30_000)] },
    none,
  ];
  for (const texts of within) expect(searchVector(texts)).not.toBeNull();
  expect(searchVector({ ...none, values: words(8_001) })).toBeNull();
  expect(await differing(within)).toEqual([]);
});
