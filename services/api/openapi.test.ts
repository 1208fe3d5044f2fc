import { expect, it } from "vitest";
import { publishedDocuments } from "#services/api/openapi.ts";

it("documents are the same each time they are generated", () => {
  const first = JSON.stringify(publishedDocuments());
  expect(JSON.stringify(publishedDocuments()) === first).toBe(true);
});

it.each(["downstream", "upstream"])(
  "the parameter expanded_entity_ids of lineage %s says which groups are always expanded",
  (direction) => {
    const { platform } = JSON.parse(JSON.stringify(publishedDocuments()));
    const { parameters } =
      platform.paths[`/api/dataentities/{data_entity_id}/lineage/${direction}`].get;
    const described = parameters.find(({ name }: { name: string }) =>
      name === "expanded_entity_ids"
    );
    expect(described.description).toMatch(/root, and every group that it is in.*always expanded/);
  },
);
