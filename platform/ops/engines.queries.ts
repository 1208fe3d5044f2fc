import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

const version = plannedEachTime<{ version: string }>("server-version")`
  SELECT split_part(current_setting('server_version'), ' ', 1) AS version`;

/** Release of PostgreSQL: `18.4`, without what its builder adds. */
export async function serverVersion(db: Database): Promise<string> {
  const [row] = await db.query(version);
  return row!.version;
}
