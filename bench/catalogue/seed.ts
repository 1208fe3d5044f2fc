import type { Database } from "#metadata/postgres/database.ts";
import * as queries from "./seed.queries.ts";

/** Ids that requests of the benchmark name. */
export interface SeededIds {
  entities: number[];
  groups: number[];
  terms: number[];
}

/** How many different things each operation is asked about. */
const requestCount = 64;

/** Writes a catalogue of that many tables straight into the metadata store, in the state that its use would leave. */
export async function seedCatalogue(db: Database, entities: number): Promise<SeededIds> {
  await db.query(queries.names);
  await db.query(queries.sources);
  await db.query(queries.entities, [entities]);
  await db.query(queries.groups, [entities]);
  await db.query("ANALYZE data_entity");
  await db.query(queries.fields);
  await db.query(queries.versions);
  await db.query(queries.details);
  await db.query(queries.terms);
  await db.query(queries.mentions);
  for (let after: number | null = 0; after !== null;) {
    const [row] = await db.query(queries.documents, [after, 500]) as [{ last: number | null }];
    after = row.last;
  }
  await db.query("VACUUM ANALYZE");
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
  return {
    entities: ids(await db.query(queries.some, [requestCount])),
    groups: ids(await db.query(queries.someGroups, [requestCount])),
    terms: ids(await db.query(queries.someTerms, [requestCount])),
  };
}
