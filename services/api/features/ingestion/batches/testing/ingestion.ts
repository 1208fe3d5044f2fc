import { afterAll, afterEach, beforeAll } from "vitest";
import { ingestionRoutes } from "#services/api/features/ingestion/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import {
  openTestIngestion,
  type TestIngestion,
  type TestIngestionOptions,
} from "#test/support/http/ingestion.ts";

/** The only data source in the tests' database. */
export const source = "//source/ünï code";

/** A table without fields. */
export const table = (catrn: string, more: object = {}) => ({
  catrn,
  name: catrn,
  type: "TABLE",
  dataset: { field_list: [] },
  ...more,
});

export const batch = (...items: object[]) => ({ data_source_catrn: source, items });

/** Intakes over this file's own database; each is closed after the test that opened it. */
export function intakes() {
  let database: TestDatabase;
  const opened: TestIngestion[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    const insert = "INSERT INTO data_source (catrn, name) VALUES ($1, 'one')";
    await database.db.query(insert, [source]);
  });
  afterEach(async () => {
    for (const intake of opened.splice(0)) await intake.close();
  });
  afterAll(() => database.drop());
  return {
    get database() {
      return database;
    },
    open(options: Partial<TestIngestionOptions> = {}): TestIngestion {
      const intake = openTestIngestion(database, {
        open: (context) => ingestionRoutes(context, { pollMs: 20 }),
        ...options,
      });
      opened.push(intake);
      return intake;
    },
  };
}
