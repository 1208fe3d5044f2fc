import { describe, expect, it } from "vitest";
import { expectLinear } from "#test/support/linear.ts";
import { normalised } from "./statement.ts";

describe("normalised", () => {
  it.each([
    ["SELECT a FROM t WHERE b = $1", "SELECT a FROM t WHERE b = $1"],
    [
      "CREATE TABLE t AS SELECT 'anna@example.com' AS m, 42, -1.5e3",
      "CREATE TABLE t AS SELECT $1 AS m, $2, -$3",
    ],
    ["SELECT a FROM t WHERE b = $2 AND c = 'x'", "SELECT a FROM t WHERE b = $2 AND c = $3"],
    [
      "SELECT E'it\\'s', 'it''s', $$a 'b' c$$, $q$d$q$, B'01', U&'d\\0061'",
      "SELECT $1, $2, $3, $4, $5, $6",
    ],
    ["SELECT '\\', s FROM t", "SELECT $1, s FROM t"],
    [
      "SELECT 1 -- user=anna\n  FROM t /* trace /* nested */ id */ WHERE x",
      "SELECT $1 FROM t WHERE x",
    ],
    [
      "SELECT a, sum(b) FROM t GROUP BY 1, a ORDER BY 2 DESC LIMIT 10",
      "SELECT a, sum(b) FROM t GROUP BY 1, a ORDER BY 2 DESC LIMIT $1",
    ],
    [
      "SELECT a::numeric(10, 2), b::varchar(20), c::character varying(5), f(3)",
      "SELECT a::numeric(10, 2), b::varchar(20), c::character varying(5), f($1)",
    ],
    [
      'SELECT "it\'s 5" FROM "a ""b"" 7".t1 WHERE c2 = 0x1F',
      'SELECT "it\'s 5" FROM "a ""b"" 7".t1 WHERE c2 = $1',
    ],
    ["SELECT x IN ($1 /*, ... */) FROM t", "SELECT x IN ($1 ) FROM t"],
    ["SELECT 'never closed", "SELECT $1"],
    ["SELECT 1 /* never closed", "SELECT $1"],
    ["  \n", ""],
  ])("%s", (given, expected) => expect(normalised(given)).toBe(expected));

  it.each(["'", "E'\\", "$a", "$", "/*", "*/", '"', "1", "-", "a(", "\\", " ", "é", "0x", "1e"])(
    "reads a statement of nothing but %j in time that grows with its length",
    (one) => expectLinear((size) => normalised(one.repeat(size)), 2_000),
  );

  it("keeps no literal of any kind", () => {
    const secret = "s3cret";
    for (
      const one of [
        `'${secret}'`,
        `E'\\'${secret}'`,
        `$$${secret}$$`,
        `$a$${secret}$a$`,
        `-- ${secret}`,
        `/* ${secret} */`,
      ]
    ) {
      expect(normalised(`CREATE TABLE t AS SELECT a FROM s WHERE b = ${one}\n AND c`)).not
        .toContain(secret);
    }
  });
});
