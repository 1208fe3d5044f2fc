import { expect, it } from "vitest";
import { digestOf, newToken, sameDigest, storedTokenOf } from "#kit/secret.ts";

it("is SHA-256 of the text as UTF-8", () => {
  const hex = (bytes: Uint8Array) =>
    [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // FIPS 180-2, appendix B.1.
  expect(hex(digestOf("abc")))
    .toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(digestOf("é")).not.toEqual(digestOf("e"));
});

it("tells equal digests from others, of whatever length", () => {
  const digest = digestOf("secret");
  const lastDiffers = digest.with(31, digest[31]! ^ 1);
  expect(sameDigest(digest, digestOf("secret"))).toBe(true);
  for (const other of [lastDiffers, digestOf("Secret"), digest.slice(0, 31), new Uint8Array()]) {
    expect(sameDigest(digest, other)).toBe(false);
  }
});

it("makes tokens of 40 letters and digits, never the same, and keeps a digest and the last four", () => {
  const tokens = Array.from({ length: 200 }, newToken);
  expect(tokens.every((token) => /^[A-Za-z0-9]{40}$/.test(token))).toBe(true);
  expect(new Set(tokens).size).toBe(200);
  const [token] = tokens;
  expect(storedTokenOf(token!)).toEqual({ digest: digestOf(token!), hint: token!.slice(36) });
});
