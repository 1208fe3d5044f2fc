import { Buffer } from "node:buffer";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  bigints,
  booleans,
  integers,
  smallints,
  texts,
  tsvectors,
} from "#metadata/postgres/array-parameters.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase(1)));
afterAll(() => t.drop());

/** What PostgreSQL makes of a parameter, as the text of each element. */
async function received(type: string, parameter: unknown): Promise<(string | null)[]> {
  const [row] = await t.db.query<{ elements: (string | null)[] }>(
    `SELECT ARRAY(SELECT e::text FROM unnest($1::${type}[]) WITH ORDINALITY AS u (e, nth)
                   ORDER BY nth) AS elements`,
    [parameter],
  );
  return row!.elements;
}

const asTexts = (values: readonly unknown[]) =>
  values.map((value) => (value === null || value === undefined ? null : String(value)));

it("spells an array as PostgreSQL describes it", () => {
  expect(integers([7, null]).toString("hex")).toBe(
    "00000001" + "00000001" + "00000017" + "00000002" + "00000001" +
      "00000004" + "00000007" + "ffffffff",
  );
  expect(texts(["ä", "b"]).toString("hex")).toBe(
    "00000001" + "00000000" + "00000019" + "00000002" + "00000001" +
      "00000002" + "c3a4" + "00000001" + "62",
  );
  expect(bigints([]).toString("hex")).toBe("00000000" + "00000000" + "00000014");
});

it("gives PostgreSQL the same whole numbers", async () => {
  const large = [0, 1, -1, null, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32) - 1];
  const edges = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, undefined];
  const values = [...large, ...edges];
  expect(await received("bigint", bigints(values))).toEqual(asTexts(values));
  const middle = [0, -1, 2 ** 31 - 1, 1 - 2 ** 31, null];
  expect(await received("integer", integers(middle))).toEqual(asTexts(middle));
  const small = [0, -1, 32_767, -32_767, null];
  expect(await received("smallint", smallints(small))).toEqual(asTexts(small));
});

it("gives PostgreSQL the same truth values", async () => {
  const values = [true, false, null, undefined, true];
  expect(await received("boolean", booleans(values))).toEqual(asTexts(values));
});

it("gives PostgreSQL the same vectors", async () => {
  const [first, second] = ["00000000", "00000001" + "6100" + "0001" + "c001"].map((hex) =>
    Buffer.from(hex, "hex")
  );
  expect(await received("tsvector", tsvectors([first!, second!]))).toEqual(["", "'a':1A"]);
  expect(await received("tsvector", tsvectors([]))).toEqual([]);
});

const plain = [
  "",
  "a",
  null,
  '"',
  "\\",
  "\\\\x41",
  "{a,b}",
  "NULL",
  " ",
  "\n\t\r",
  "x".repeat(9_000),
];

it.each([
  ["ASCII", plain],
  ["other languages", [
    ...plain,
    "ä",
    "Ω≈ç√",
    "漢字",
    undefined,
    "🦆 and 👩‍👩‍👧",
    "é".repeat(5_000),
    "end",
  ]],
  ["no character", ["\u0001", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\ufeff", "a"]],
])("gives PostgreSQL the same texts: %s", async (_name, values: (string | null | undefined)[]) => {
  expect(await received("text", texts(values))).toEqual(asTexts(values));
});

it("puts U+FFFD for half a character, as the driver does", async () => {
  const values = ["a\ud83e", "\udd86b", "🦆"];
  expect(await received("text", texts(values))).toEqual(values.map((one) => one.toWellFormed()));
  expect(await received("text", texts(values))).toEqual(await received("text", values));
});

it("gives PostgreSQL an empty array of each type", async () => {
  expect(await received("bigint", bigints([]))).toEqual([]);
  expect(await received("integer", integers([]))).toEqual([]);
  expect(await received("smallint", smallints([]))).toEqual([]);
  expect(await received("boolean", booleans([]))).toEqual([]);
  expect(await received("text", texts([]))).toEqual([]);
});

it("gives PostgreSQL as many elements as a batch has", async () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => n * 1_000_003);
  expect(await received("bigint", bigints(ids))).toEqual(asTexts(ids));
  const names = ids.map((
    id,
  ) => (id % 7 === 0 ? null : `table_${id}${id % 5 === 0 ? "_größe" : ""}`));
  expect(await received("text", texts(names))).toEqual(names);
});

it("refuses what the type cannot hold, and PostgreSQL another type and a NUL", async () => {
  for (const value of [0.5, NaN, 2 ** 53]) expect(() => bigints([value])).toThrow(RangeError);
  expect(() => integers([2 ** 31])).toThrow(RangeError);
  expect(() => smallints([2 ** 15])).toThrow(RangeError);
  await expect(received("bigint", integers([1]))).rejects.toThrow("array element type 23");
  await expect(received("text", texts(["a\0b"]))).rejects.toThrow("invalid byte sequence");
});
