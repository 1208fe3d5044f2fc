import type pg from "pg";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Manifest } from "#platform/backup/manifest.ts";

/** One state of the whole database for all statements that follow, until `COMMIT`. */
export const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Text of dates and numbers that another server reads back exactly. */
export const exactTexts =
  "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL extra_float_digits = 3; SET LOCAL intervalstyle = 'postgres'";

/** The migrations of the database, in order. */
export async function readMigrations(client: pg.Client): Promise<Manifest["schema"]> {
  const { rows } = await client.query<Manifest["schema"]["migrations"][number]>(
    "SELECT version, name, checksum FROM schema_migration ORDER BY version",
  );
  return { version: rows.at(-1)?.version ?? 0, migrations: rows };
}

/** The newest position of the lineage outbox. */
export async function readLineagePosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ position: string }>(
    "SELECT coalesce(max(position), 0)::text AS position FROM lineage_outbox",
  );
  return Number(rows[0]!.position);
}

/** Keys of the objects that hold the bytes of attachments. */
export async function readPieceKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    "SELECT key::text FROM attachment_piece WHERE file_id IS NOT NULL ORDER BY key",
  );
  return rows.map(({ key }) => key);
}

/** By partition of the log of spans, the offset from which the pairing reads again. */
export async function readReplayOffsets(client: pg.Client): Promise<Map<number, number>> {
  const { rows } = await client.query<{ partition: number; offset: string }>(
    `SELECT partition, replay_offset::text AS "offset" FROM span_checkpoint`,
  );
  return new Map(rows.map(({ partition, offset }) => [partition, Number(offset)]));
}

const pieceOfFile = statement("backup-piece-of-file")`
  SELECT FROM attachment_piece WHERE key = $1 AND file_id IS NOT NULL`;

/** Whether a piece belongs to a file now. */
export async function isPieceInUse(db: Database, key: string): Promise<boolean> {
  return (await db.query(pieceOfFile, [key])).length > 0;
}
