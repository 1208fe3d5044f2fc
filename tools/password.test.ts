import bcrypt from "bcryptjs";
import { expect, it } from "vitest";
import { hashOf } from "./password.ts";

it("gives a hash that the password matches, another one each time", async () => {
  const [one, other] = [await hashOf("correct horse"), await hashOf("correct horse")];
  expect(one).toMatch(/^\$2b\$12\$/);
  expect(one).not.toBe(other);
  expect(await bcrypt.compare("correct horse", one)).toBe(true);
  expect(await bcrypt.compare("correct hors", one)).toBe(false);
});

it("refuses what bcrypt would not keep apart", () => {
  expect(() => hashOf("")).toThrow("empty");
  expect(() => hashOf("ż".repeat(37))).toThrow("72 bytes");
});
