import { expect, it } from "vitest";
import { nameOf } from "#services/api/access/oauth2/claims.ts";
import { SignInFailure } from "#services/api/access/oauth2/failure.ts";

it.each<[unknown, string]>([
  ["ada", "ada"],
  ["Ada Lovelace", "Ada Lovelace"],
  ["żółw@corp.example", "żółw@corp.example"],
  [12, "12"],
])("%j is a name", (value, name) => {
  expect(nameOf(value, "sub")).toBe(name);
});

it.each([
  "",
  " ada",
  "ada ",
  "ada\n",
  "a\u0000da",
  "ada\u200b",
  "\u202eada",
  "a\u00adda",
  "ada\u2028",
  "\ud800",
  "x".repeat(256),
  true,
  ["ada"],
  undefined,
])("%j is no name: it could pass for another's", (value) => {
  expect(() => nameOf(value, "sub")).toThrow(SignInFailure);
});
