import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  csvLine,
  withGuard,
  withoutGuard,
} from "#services/api/features/lookup-tables/files/export.ts";

describe("the guard against formulas", () => {
  const texts = ["=", "'=", "''=", "'", "''", "a=", "'a", "", "+1", "\r", "\n", "＝x", "@", "' ="];
  it.each(texts)("of %j is taken away again, and no formula is left", (one) => {
    const guarded = withGuard(one);
    expect(withoutGuard(guarded)).toBe(one);
    expect(guarded).not.toMatch(/^[=+\-@\t\r\n＝]/);
  });

  it.each([
    ";=1",
    "a; =1",
    'a;"=1',
    'a;""=cmd|x',
    "a|+1",
    "a\t-1",
    "a\n=1",
    ";\t=1",
    ";;@x",
    "\r\n=1",
    "x;'=1",
  ])(
    "of %j holds, whatever separator the spreadsheet knows",
    (one) => {
      expect(withoutGuard(withGuard(one))).toBe(one);
      for (const separator of [";", "|", "\t"]) {
        const cells = csvLine(["a", withGuard(one), "b"]).split(/\r\n|\r|\n/)
          .flatMap((line) => line.split(separator));
        // At its strictest: quotes and blanks that a spreadsheet drops do not hide a sign.
        for (const cell of cells) expect(cell).not.toMatch(/^[ "]*[=+\-@＝＋－＠]/);
      }
    },
  );

  it("of any text is taken away again", () => {
    const piece = fc.constantFrom(..."=+-@\t\r\n;|'\" a＝");
    fc.assert(fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      expect(withoutGuard(withGuard(text))).toBe(text);
    }));
  });

  it("CSV quotes what has to be quoted", () => {
    expect(csvLine(["a", 'b"', "c,", " d", "e\n", ""])).toBe('a,"b""","c,"," d","e\n",\r\n');
  });
});
