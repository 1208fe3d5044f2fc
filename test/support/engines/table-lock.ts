import pg from "pg";
import { superuserOf, superuserUrl } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";

/** Resolves when a connection of this application waits for the lock. */
type Waits = (application: string) => Promise<void>;

/**
 * Runs `work` while a table of a database is locked, so that queries of it wait; `query` is a session that holds the lock.
 */
export async function withTableLocked<T>(
  database: string,
  table: string,
  work: (waits: Waits, query: (text: string) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: superuserUrl(database) });
  await client.connect();
  const admin = superuserOf("postgres");
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const waits: Waits = (application) =>
      eventually(async () => {
        const found = await admin.query(
          `SELECT FROM pg_stat_activity
            WHERE datname = $1 AND application_name = $2 AND wait_event_type = 'Lock'`,
          [database, application],
        );
        if (found.length === 0) throw new Error(`nothing of ${application} waits for ${table}`);
      });
    const result = await work(waits, (text) => client.query(text));
    await client.query("COMMIT");
    return result;
  } finally {
    await client.end();
  }
}
