import { expect, test } from "vitest";
import { columnsOf, csvLine, readSample, typeOfCells } from "#web/features/lookup-tables/csv.ts";

test("cells between quotes hold commas, quotes and line ends; blank lines are none", () => {
  const text = 'a,"b, c"\r\n1,"say ""yes""\nor no"\r\n\r\n2,\r\n';
  expect(readSample(text, true)).toEqual({
    header: ["a", "b, c"],
    rows: [["1", 'say "yes"\nor no'], ["2", ""]],
    headerLength: 10,
  });
});

test("the last row of a part of a file is left out, and so is a quote that is not closed", () => {
  expect(readSample("a,b\n1,2\n3,4", false)!.rows).toEqual([["1", "2"]]);
  expect(readSample("a,b\n1,2\n3,4", true)!.rows).toEqual([["1", "2"], ["3", "4"]]);
  expect(readSample('a,b\n1,2\n3,"4', true)!.rows).toEqual([["1", "2"]]);
});

test("a file without a header is none", () => {
  expect([readSample("", true), readSample("\n1,2\n", true)]).toEqual([undefined, undefined]);
});

test.each([
  [["1", "-20", "0", ""], "INTEGER"],
  [["1", "2.50"], "DECIMAL"],
  [["3000000000"], "DECIMAL"],
  [["007", "12"], "VARCHAR"],
  [["true", "FALSE"], "BOOLEAN"],
  [["yes", "no"], "VARCHAR"],
  [["2024-02-29"], "DATE"],
  [["2024-02-30"], "VARCHAR"],
  [["2024-02-29 23:59:59"], "TIME"],
  [["0190a5b0-0000-7000-8000-00000000000a"], "UUID"],
  [["", " "], "VARCHAR"],
])("%j is a column of %s", (cells, type) => expect(typeOfCells(cells)).toBe(type));

test("a column called id, which every table has, gets another name; one without a name too", () => {
  const sample = readSample("ID,,country\n7,x,IS\n", true)!;
  expect(columnsOf(sample).map(({ name, field_type }) => [name, field_type])).toEqual([
    ["source_id", "INTEGER"],
    ["column_2", "VARCHAR"],
    ["country", "VARCHAR"],
  ]);
});

test("a line is read as it was written", () => {
  const cells = ['say "yes"', "a, b", "c\nd"];
  expect(readSample(csvLine(cells), true)!.header).toEqual(cells);
});
