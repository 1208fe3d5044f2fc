import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Milliseconds after which an incomplete upload is aborted. */
export const uploadLife = 24 * 60 * 60_000;

const detachAll = statement<{ key: string }>("attachment-uploads-detach")`
  UPDATE attachment_piece SET file_id = NULL, spared_until = now()
   WHERE file_id = ANY($1::bigint[]) RETURNING key::text`;

const drop = statement("attachment-uploads-delete")`
  DELETE FROM attachment_file WHERE id = ANY($1::bigint[])`;

/** Gives up uploads that are locked; returns their pieces, which are left to be removed. */
export async function dropUploads(tx: Transaction, ids: number[]): Promise<string[]> {
  const pieces = await tx.query(detachAll, [ids]);
  await tx.query(drop, [ids]);
  return pieces.map(({ key }) => key);
}

const forget = statement("attachment-pieces-forget")`
  DELETE FROM attachment_piece WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;

/** Forgets pieces whose objects are gone. */
// change-ok -- the account of the storage: what is of no file is no part of the catalogue
export async function forgetPieces(db: Queryable, keys: string[]): Promise<void> {
  await db.query(forget, [keys]);
}
