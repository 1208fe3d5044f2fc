import { expect, it } from "vitest";
import { accepted } from "./accepted.ts";
import { interfaceDifferences } from "./interface.ts";
import { publishedOperations } from "./compare.ts";
import { publishedShapes } from "./members.ts";

it("the published interface has its shapes, and every one that it names", () => {
  const shapes = publishedShapes();
  expect(shapes.size).toBeGreaterThan(240);
  expect(shapes.get("TermDetails")).toMatchObject({ includes: ["Term"] });
  const results = publishedOperations().map(({ result }) => result);
  expect(results).toContain("TermDetails");
});

it("parameters, bodies, answers and shapes differ from the published ones only where it is meant", () => {
  expect(interfaceDifferences().sort()).toEqual(
    accepted.map(({ difference }) => difference).sort(),
  );
});
