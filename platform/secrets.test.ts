import { describe, expect, it } from "vitest";
import { failureText, masked, rememberSecrets, secretsIn } from "#platform/secrets.ts";
import { cpuMs } from "#test/support/linear.ts";

describe("secretsIn", () => {
  it.each<[unknown, string[]]>([
    [{ a: { password: "one-two", other: "three" } }, ["one-two"]],
    [{ traces: { token: 471147114711 } }, ["471147114711"]],
    [{ url: "postgres://user:p%40ss@host/db?sslpassword=inner" }, ["inner", "", "p%40ss"]],
    [{ url: "postgres://u:p#ss@host/db" }, ["postgres://u:p#ss@host/db", "p#ss"]],
    [{ "bolt://u:pass@h": null }, ["", "pass"]],
    [{ a: null, b: undefined, c: true, d: ["x"] }, []],
    [{ "secrets-dir": "/run/secrets", ttl: { personal_tokens_days: 1000 } }, []],
  ])("of %j: %j", (tree, secrets) => {
    expect(secretsIn(tree)).toEqual(secrets);
  });
});

describe("masked", () => {
  it("shows a remembered secret in no form that an address or JSON writes it in", () => {
    rememberSecrets(['qu"ote&\\slash', "blank space%"]);
    const forms = [
      'qu"ote&\\slash',
      "qu%22ote%26%5Cslash",
      'qu\\"ote&\\\\slash',
      "blank%20space%25",
    ];
    for (const form of forms) expect(masked(`<${form}>`)).toBe("<***>");
  });

  it("hides the longer of two secrets whole, and leaves alone what is too short to be one", () => {
    rememberSecrets(["prefix", "prefix-and-more", "abc"]);
    expect(masked("prefix-and-more prefix abc")).toBe("*** *** abc");
  });

  it("takes time linear in the text", () => {
    const pieces = ["://", "a:", "@", "a://b:c@", "//@:"];
    expect(cpuMs(() => pieces.forEach((piece) => masked(piece.repeat(200_000))))).toBeLessThan(
      2_000,
    );
  });
});

it("failureText: the message and the causes, masked, a line each", () => {
  const cause = new Error("at redis://me:hidden@host", { cause: new Error("deep") });
  expect(failureText(new Error("no cache", { cause }))).toBe(
    "no cache\n  at redis://me:***@host\n  deep",
  );
  expect(failureText("text")).toBe("text");
});
