import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columnJob, columnTable, type ColumnTestBed, columnWorld } from "#test/columns/world.ts";

/** Names that an address, a list or a quotation could take apart. */
const names = [
  "last, first",
  ",",
  "a,b",
  "a",
  "b",
  `say "a,b"`,
  `it's`,
  " before",
  "behind ",
  " ",
  "a b",
  "a+b",
  "a/b",
  "a\\b",
  "100%",
  "%2C",
  "a&b=c",
  "a;b#c?d",
  "größe, m²",
  "顧客,名前",
  "e\u0301",
  "👩‍👩‍👧",
  "[x]",
  "{y}",
  "tab\there",
  "line\nbreak",
];

let at: ColumnTestBed;
beforeAll(async () => {
  at = await columnWorld();
  await at.post([
    columnTable("n-raw", ...names, ""),
    columnTable("n-mart", ...names.map((_, n) => `c${n}`)),
    columnJob("n-job", names.map((name, n) => [`n-mart.c${n}`, `n-raw.${name}`])),
  ]);
});
afterAll(() => at.drop());

const columnsOf = (...requested: string[]) =>
  requested.map((name) => `column=${encodeURIComponent(name)}`).join("&");

describe("a column by its exact name", () => {
  it.each(names.map((name, n) => [name, n] as const))("finds %j", async (name, n) => {
    expect(await at.walk("n-raw", "downstream", columnsOf(name)))
      .toEqual([`n-raw.${name} > n-mart.c${n}`]);
  });

  it("finds several at once, beside a list with commas, and each but once", async () => {
    const found = await at.ask(
      "n-raw",
      "downstream",
      `columns=a,b&${columnsOf("a,b", "a", "100%")}`,
    );
    expect(found.json.edges).toHaveLength(4);
    expect(found.json.root.columns).toHaveLength(4);
  });

  it("finds one with an empty name, which feeds nothing", async () => {
    const { status, json } = await at.ask("n-raw", "downstream", "column=");
    expect([status, json.root.columns.length, json.edges]).toEqual([200, 1, []]);
    const none = await at.ask("n-mart", "downstream", "column=");
    expect([none.status, none.json.details]).toEqual([
      404,
      [{ field: "column", message: "(empty) is no column" }],
    ]);
  });

  it("refuses names that nothing has, each by the parameter that gave it", async () => {
    const wrong = await at.ask("n-raw", "upstream", "columns=last,a&column=x,y");
    expect([wrong.status, wrong.json.details]).toEqual([404, [
      { field: "columns", message: "last is no column" },
      { field: "column", message: "x,y is no column" },
    ]]);
    expect(wrong.json.message).toContain("by the parameter column");
  });

  it("refuses more than 500 names together, names that are too long, and NUL", async () => {
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${prefix}${n}`);
    const list = `columns=${many("x", 300).join(",")}&${columnsOf(...many("y", 201))}`;
    for (
      const query of [
        list,
        columnsOf(...many("z", 501)),
        columnsOf("x".repeat(3_001)),
        "column=%00",
      ]
    ) {
      const { status, json } = await at.ask("n-raw", "upstream", query);
      expect([status, json.details[0].field]).toEqual([400, "column"]);
    }
  });
});
