import { describe, expect, it } from "vitest";
import { referenceIn, SecretBox } from "./secrets.ts";

const box = new SecretBox("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
const other = new SecretBox("AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");

describe("secrets of connections", () => {
  it("are opened with the same key and purpose only", () => {
    const sealed = box.seal("päss – word", "db:5432");
    expect(box.open(sealed, "db:5432")).toBe("päss – word");
    expect(() => box.open(sealed, "evil:5432")).toThrow();
    expect(() => other.open(sealed, "db:5432")).toThrow();
    expect(() => box.open(sealed.slice(0, -4) + "AAAA", "db:5432")).toThrow();
    expect(() => box.open("", "db:5432")).toThrow();
  });

  it("are never sealed the same way twice", () => {
    expect(box.seal("x", "y")).not.toBe(box.seal("x", "y"));
  });

  it("may refer to variables and files of sources", () => {
    expect(referenceIn("${env:SOURCE_SECRET_SHOP}")).toEqual({ env: "SOURCE_SECRET_SHOP" });
    expect(referenceIn("${file:shop.password}")).toEqual({ file: "shop.password" });
    expect(referenceIn("a $secret")).toBeNull();
  });

  it.each([
    "${env:METADATA_POSTGRES_PASSWORD}",
    "${env:CONNECTIONS_SECRET_KEY}",
    "${env:SOURCE_SECRET_}",
    "${file:../passwd}",
    "${file:/etc/passwd}",
    "${file:..}",
  ])("must not refer to %s", (text) => {
    expect(() => referenceIn(text)).toThrow(/must name/);
  });
});
