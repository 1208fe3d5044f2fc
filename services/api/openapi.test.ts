import { expect, it } from "vitest";
import { publishedDocuments } from "#services/api/openapi.ts";

it("documents are the same each time they are generated", () => {
  const first = JSON.stringify(publishedDocuments());
  expect(JSON.stringify(publishedDocuments()) === first).toBe(true);
});
