import { describe, expect, it } from "vitest";
import { publishedRoutes } from "#services/api/documents.ts";
import { testApi } from "#test/support/http/api.ts";
import { compareWithPublished, publishedOperations } from "./compare.ts";
import { deviationsMarkdown } from "./markdown.ts";

describe("operations of the published contract", () => {
  it("are each named once, with a method and a path", () => {
    const operations = publishedOperations();
    expect(operations.filter(({ family }) => family !== "ingestion")).toHaveLength(207);
    const places = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
    for (const place of places) {
      expect(place).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/(api|ingestion)\//);
    }
  });

  it("are served under the ids that were published", () => {
    expect(compareWithPublished().renamed).toEqual([]);
  });

  it("that are not served are named in the deviations, and no others", () => {
    const { missing } = compareWithPublished();
    const [, section] = deviationsMarkdown().split("### Operations");
    const [table] = section!.split("### Keys");
    const named = new Set([...table!.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    const nameOf = ({ id, method, path }: (typeof missing)[number]) => id || `${method} ${path}`;
    const absent = new Set(missing.map(nameOf));
    expect(named).toEqual(absent);
  });

  it("that are not served are answered with 404, or 405 on a path with other methods", async () => {
    const api = testApi(publishedRoutes());
    for (const { method, path } of compareWithPublished().missing) {
      const { status } = await api.send(method, path.replace(/\{[^}]*\}/g, "1"));
      expect([404, 405], `${method} ${path}`).toContain(status);
    }
  });
});
