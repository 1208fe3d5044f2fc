import { describe, expect, it } from "vitest";
import { compareWithPublished, publishedOperations } from "./compare.ts";

describe("operations of the published contract", () => {
  it("are each named once, with a method and a path", () => {
    const operations = publishedOperations();
    expect(operations.filter(({ family }) => family !== "ingestion")).toHaveLength(207);
    const operationsSet = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(operationsSet).size).toBe(operationsSet.length);
    for (const place of operationsSet) {
      expect(place).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/(api|ingestion)\//);
    }
  });

  it("are served under the ids that were published", () => {
    expect(compareWithPublished().renamed).toEqual([]);
  });

  it("are served, all of them", () => {
    expect(compareWithPublished().missing).toEqual([]);
  });
});
