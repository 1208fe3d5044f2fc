import type { Queryable } from "#metadata/postgres/database.ts";
import type { StoredEntity } from "./chunk.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { run } from "./statement.ts";

type StoredEntityRow = {
  id: number;
  catrn: string;
  data_source_id: number | null;
  hollow: boolean;
  deleted: boolean;
  status_at: Date | null;
  received_at: Date | null;
  batch: string | null;
  hash: string | null;
};

/** Runs a statement that returns entities; returns them by CATRN. */
export async function storedEntities(
  on: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<Map<string, StoredEntity>> {
  const rows = await run<StoredEntityRow>(on, statement, values);
  return new Map(rows.map((row) => [row.catrn, {
    id: row.id,
    catrn: row.catrn,
    sourceId: row.data_source_id,
    hollow: row.hollow,
    deleted: row.deleted,
    statusAt: row.status_at?.getTime() ?? null,
    receivedAt: row.received_at?.getTime() ?? null,
    batch: row.batch,
    hash: row.hash,
  }]));
}
