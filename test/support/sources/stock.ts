import type { Database } from "#metadata/postgres/database.ts";

/** Tables to a statement: each takes a lock until the statement ends. */
const atOnce = 50;

/** A schema `shop` with tables `stock_1` and so on, and the views `total_1` and so on of the first of them. */
export async function createStock(
  db: Database,
  { tables, views, columns }: { tables: number; views: number; columns: string },
): Promise<void> {
  await db.query("CREATE SCHEMA shop");
  for (let from = 1; from <= tables; from += atOnce) {
    await db.query(
      `DO $$ BEGIN FOR i IN ${from}..${Math.min(from + atOnce - 1, tables)} LOOP
         EXECUTE format('CREATE TABLE shop.stock_%s (${columns})', i);
         IF i <= ${views} THEN
           EXECUTE format('CREATE VIEW shop.total_%s AS SELECT sum(amount) AS total FROM shop.stock_%s', i, i);
         END IF; END LOOP; END $$`,
    );
  }
}
