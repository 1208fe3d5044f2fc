import { expect, test } from "vitest";
import { DataSetStructure } from "#contract/catalogue/dataset.ts";
import { datasetRoutes } from "#services/api/features/datasets/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedDescribedFields } from "#test/support/seed/seed-described.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(datasetRoutes);

test("each field has its own of what was written, whatever others have", async () => {
  const { db } = database;
  for (let n = 0; n < 2; n++) await seedDescribedFields(db, await seedEntity(db), 3);
  const dataset = await seedEntity(db);
  const fields = await seedDescribedFields(db, dataset, 120);
  await db.query("UPDATE tag SET important = true WHERE name = 'described 13'");
  await seedVersion(db, dataset, 2, fields.slice(1));
  const answer = await api.get(`/api/datasets/${dataset}/structure`);
  const shown = DataSetStructure.parse(answer.json).field_list;
  expect(shown.map(({ id }) => id)).toEqual(fields.slice(1));
  const twelfth = shown[10]!;
  expect(twelfth).toMatchObject({
    name: "field 12",
    internal_name: "name 12",
    parent_field_id: null,
    enum_value_count: 2,
  });
  expect(twelfth.tags!.map((tag) => [tag.name, tag.external]))
    .toEqual([["described 13", true], ["described 12", true]]);
  expect(twelfth.metadata!.map(({ field, value }) => [field.name, field.origin, value]))
    .toEqual([["described 2", "EXTERNAL", "value 12"], ["described 5", "EXTERNAL", "value 12"]]);
  expect(twelfth.terms!.map((link) => [link.term.name, link.is_description_link]))
    .toEqual([["linked 12", false], ["mentioned 12", true]]);
  const counts = shown.map(({ tags, metadata, terms, enum_value_count: values }) =>
    [tags!.length, metadata!.length, terms!.length, values].join()
  );
  expect(new Set(counts)).toEqual(new Set(["2,2,2,2"]));
  expect(shown[18]!.parent_field_id).toBe(twelfth.id - 10);
});
