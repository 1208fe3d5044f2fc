import pg from "pg";
import type { Queryable } from "#metadata/postgres/database.ts";
import { addColumn, createTable, setUnique } from "./physical/definition.queries.ts";
import type { LookupStore } from "./physical/store.ts";
import { structures, type Table } from "./structure.queries.ts";

/**
 * Creates the tables of rows that the catalogue describes, empty, deleted ones included; returns what the catalogue
 * knows of them. For a restore: the store holds none of them.
 */
export async function createDescribedTables(db: Queryable, store: LookupStore): Promise<Table[]> {
  const tables = await db.query(structures);
  for (const table of tables) {
    await store.alone(async (on) => {
      await createTable(on, table);
      for (const column of table.columns) {
        if (column.key) continue;
        // The rows come with their cells; a default would only cost.
        await addColumn(on, table, { ...column, default: null });
        if (column.unique) await setUnique(on, table, column);
      }
    });
  }
  return tables;
}

/** Removes the schema of the rows with everything in it, for a restore over other content. */
export async function dropTables(db: Queryable, schema: string): Promise<void> {
  await db.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
}
