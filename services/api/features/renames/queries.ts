import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listOfFound } from "#services/api/list-json.ts";

const list = statement<JsonRow>("rename-list")`
  WITH found AS (SELECT r, r.id FROM open_rename r WHERE r.connection_id = $1)
  ${listOfFound({ each: "json_rename(r, $4)", by: "id", window: ["$2", "$3"] })}`;

/** RenameOfferList of a connection as JSON text, the oldest first. */
export async function renameList(
  db: Queryable,
  connection: number,
  page: PageWindow,
  staleDays: number,
): Promise<string> {
  return (await db.query(list, [connection, page.limit, page.offset, staleDays]))[0]!.json;
}

export interface OpenRename {
  old_id: number;
  new_id: number;
  old_catrn: string;
  new_catrn: string;
}

const open = statement<OpenRename>("rename-open")`
  SELECT r.old_id, r.new_id, o.catrn AS old_catrn, n.catrn AS new_catrn
    FROM open_rename r JOIN data_entity o ON o.id = r.old_id JOIN data_entity n ON n.id = r.new_id
   WHERE r.id = $1 AND r.new_id = $2`;

/** An offer that can be decided, by its id and the successor's. */
export async function openRename(
  tx: Queryable,
  id: number,
  successor: number,
): Promise<OpenRename | undefined> {
  return (await tx.query(open, [id, successor]))[0];
}

const decide = statement("rename-decide")`
  UPDATE rename_offer SET decision = $2, decided_by = $3, decided_at = $4 WHERE id = $1 AND decision IS NULL
  RETURNING id`;

/** Stores a decision; false when somebody else decided first. */
export async function decideRename(
  tx: Transaction,
  id: number,
  decision: "CARRIED_OVER" | "DISMISSED",
  by: string | null,
  at: Date,
): Promise<boolean> {
  return (await tx.query(decide, [id, decision, by, at])).length > 0;
}
