import { describe, expect, it } from "vitest";
import {
  csvLine,
  withGuard,
  withoutGuard,
} from "#services/api/features/lookup-tables/files/csv.ts";

describe("the guard against formulas", () => {
  const texts = ["=", "'=", "''=", "'", "''", "a=", "'a", "", "+1", "\r", "\n", "＝x", "@", "' ="];
  it.each(texts)("of %j is taken away again, and no formula is left", (one) => {
    const guarded = withGuard(one);
    expect(withoutGuard(guarded)).toBe(one);
    expect(guarded).not.toMatch(/^[=+\-@\t\r\n＝]/);
  });

  it("CSV quotes what has to be quoted", () => {
    expect(csvLine(["a", 'b"', "c,", " d", "e\n", ""])).toBe('a,"b""","c,"," d","e\n",\r\n');
  });
});
