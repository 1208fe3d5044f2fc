import { expect, it } from "vitest";
import { parseFuzz } from "./fuzz.ts";

it("parseFuzz: 20,000 inputs and three minutes unless told, and a seed that is told", () => {
  expect(parseFuzz([])).toMatchObject({ inputs: 20_000, minutes: 3, from: 0, engines: "embedded" });
  expect(parseFuzz([])!.seed).toSatisfy(Number.isInteger);
  const args = ["--inputs", "5", "--minutes", "0", "--seed", "7", "--engines", "distributed"];
  expect(parseFuzz(args)).toMatchObject({ inputs: 5, minutes: 0, seed: 7, engines: "distributed" });
  expect(parseFuzz(["--only", "openlineage"])).toMatchObject({ only: "openlineage" });
  expect(parseFuzz(["--only", "multipart"])).toMatchObject({ only: "multipart" });
});

it.each([["--inputs", "many"], ["--minutes", "-1"], ["--engines", "other"], ["--only", "x"], [
  "--what",
]])(
  "parseFuzz: nothing for %s %s",
  (...args) => expect(parseFuzz(args)).toBeNull(),
);
