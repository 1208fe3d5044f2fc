import { expect, it } from "vitest";
import { lettersOf } from "#web/kit/technologies.ts";
import { technologyOf } from "#web/kit/technology-of.ts";

it("the technology of an asset is the first part of its resource name", () => {
  expect(technologyOf("//postgresql/host/a/databases/b")).toBe("postgresql");
  expect([technologyOf("//x"), technologyOf("kafka/host"), technologyOf(null)])
    .toEqual([null, null, null]);
});

it("a technology has its usual letters, else its first two", () => {
  expect(["postgresql", "dbt", "oracle"].map(lettersOf)).toEqual(["Pg", "dbt", "Or"]);
});
