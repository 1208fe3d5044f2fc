import { expect, it } from "vitest";
import { explain, parseExplain } from "./sql.ts";

it("explains which columns are read from SQL, and where something is not", () => {
  const sql = "CREATE TABLE b AS\nSELECT o.id, sum(total) AS s, nothing.x\nFROM orders o";
  const text = explain(sql, {
    dialect: "snowflake",
    structures: new Map([["orders", ["id", "total"]]]),
  });
  expect(text).toMatch(/^orders\.id +b\.id +DIRECT +IDENTITY$/m);
  expect(text).toMatch(/^orders\.total +b\.s +DIRECT +AGGREGATION$/m);
  expect(text).toMatch(/^b\.x +column +2:31$/m);
});

it("says why nothing was read", () => {
  expect(explain("CALL fill()", { dialect: "generic", structures: new Map() }))
    .toMatch(/^Nothing was read: statement$/m);
});

it("takes a file, a dialect and structures, and refuses anything else", () => {
  expect(parseExplain(["explain", "a.sql", "--dialect", "oracle", "--structure", "T=a,b"])).toEqual(
    {
      file: "a.sql",
      dialect: "oracle",
      structures: new Map([["t", ["a", "b"]]]),
    },
  );
  expect(parseExplain(["explain"])).toBeNull();
  expect(parseExplain(["explain", "a.sql", "--more"])).toBeNull();
});
