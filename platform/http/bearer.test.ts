import { expect, it } from "vitest";
import { bearerToken } from "#platform/http/request-headers.ts";

it.each([
  ["Bearer secret", "secret"],
  ["bearer   secret  ", "secret"],
  ["Bearer two words", "two words"],
  ["Bearer ", undefined],
  ["Bearer", undefined],
  ["Basic c2VjcmV0", undefined],
  [null, undefined],
])("of %j the token is %j", (authorization, token) => {
  expect(bearerToken(authorization)).toBe(token);
});
