import { describe, expect, it } from "vitest";
import { displayName } from "#services/api/features/attachments/schemas.ts";

describe("displayName", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\ann\\bilan été.xlsx", "bilan été.xlsx"],
    ["/", ""],
    ["..", ""],
    [" . ", ""],
    [".gitignore", ".gitignore"],
    ["a\r\nSet-Cookie: x.txt", "aSet-Cookie_ x.txt"],
    ['a"b<c>d:e|f?g*h', "a_b_c_d_e_f_g_h"],
    ["invoice\u202efdp.exe", "invoicefdp.exe"],
    ["a\u0000\u0007\u009fb\u200b\ufeff", "ab"],
    ["CON", "_CON"],
    ["lpt1.txt", "_lpt1.txt"],
    ["console.log", "console.log"],
    ["name. . ", "name"],
    ["e\u0301.txt", "\u00e9.txt"],
    ["👩‍💻.md", "👩‍💻.md"],
  ])("%j is %j", (given, shown) => expect(displayName(given)).toBe(shown));

  it("is cut to what file systems take, by whole characters, and keeps its extension", () => {
    const name = displayName(`${"ü".repeat(900)}.tar.gz`);
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^ü{120,}.*\.gz$/);
    expect(displayName("😀".repeat(200)).isWellFormed()).toBe(true);
    expect(displayName("x".repeat(400))).toBe("x".repeat(255));
    expect(displayName(`a.${"x".repeat(400)}`)).toHaveLength(255);
  });
});
