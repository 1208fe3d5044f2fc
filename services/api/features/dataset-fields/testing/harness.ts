import { datasetFieldRoutes } from "#services/api/features/dataset-fields/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedField, seedVersion } from "#test/support/seed/seed-dataset.ts";
import { type SeedEntity, seedEntity } from "#test/support/seed/seed.ts";

/** A field and the dataset that has it. */
export interface FieldOfDataset {
  id: number;
  dataset: number;
}

/** Operations on dataset fields under test. Call it at the top of a test file. */
export function fieldsUnderTest() {
  const { api, database } = featureUnderTest(datasetFieldRoutes);
  return {
    api,
    database,
    pathOf: (field: number, member: string) => `/api/datasetfields/${field}/${member}`,
    /** A field of the newest version of a dataset. */
    async field(entity: SeedEntity = {}): Promise<FieldOfDataset> {
      const dataset = await seedEntity(database.db, entity);
      const id = await seedField(database.db, dataset, { catrn: `//f/${dataset}` });
      await seedVersion(database.db, dataset, 1, [id]);
      return { id, dataset };
    },
    /** Entities that are found by a word. */
    found: async (word: string) =>
      (await database.db.query<{ id: number }>(
        "SELECT entity_id AS id FROM search_document WHERE vector @@ search_query($1)",
        [word],
      )).map(({ id }) => id),
    /** Events of a dataset, with the member of their states. */
    events: (dataset: number) =>
      database.db.query(
        `SELECT event_type AS type, (SELECT value FROM jsonb_each(old_state)) AS before,
                (SELECT value FROM jsonb_each(new_state)) AS after
           FROM activity WHERE entity_id = $1 ORDER BY id`,
        [dataset],
      ),
  };
}
