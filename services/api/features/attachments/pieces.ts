import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { forgetPieces, uploadLife } from "#metadata/catalogue/uploads.ts";
import type { Context } from "#platform/context.ts";
import { lateWrites, pieceBytes } from "#services/api/features/attachments/limits.ts";
import { headBytes } from "#services/api/features/attachments/media-type.ts";
import * as queries from "#services/api/features/attachments/uploads.queries.ts";

type Deps = Pick<Context, "db" | "storage" | "clock" | "log">;

/** What was written of one chunk so far. */
export interface WrittenChunk {
  /** Objects; the last one may be missing. */
  keys: string[];
  size: number;
  /** The first bytes. */
  head: Uint8Array;
}

/** Nothing was written yet. */
export const nothing = (): WrittenChunk => ({ keys: [], size: 0, head: new Uint8Array() });

/**
 * Writes bytes as objects, no more than one in memory at a time, each noted in the database before it is written. Keeps
 * count in `written`, also of what was written before it failed. Throws 503 while the storage is away.
 */
export async function writePieces(
  { db, storage }: Pick<Deps, "db" | "storage">,
  bytes: AsyncIterable<Uint8Array>,
  written: WrittenChunk,
): Promise<void> {
  for await (const piece of piecesOf(bytes)) {
    const key = crypto.randomUUID();
    await queries.announcePiece(db, key, piece.length, uploadLife);
    if (written.keys.length === 0) written.head = piece.slice(0, headBytes);
    written.keys.push(key);
    written.size += piece.length;
    await storage.put(key, piece);
  }
}

/** The bytes in pieces of one size, but for the last; of no bytes one empty piece. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(pieceBytes);
  let [filled, given] = [0, 0];
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + pieceBytes - filled);
      piece.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < pieceBytes) continue;
      yield piece;
      given++;
      piece = new Uint8Array(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0 || given === 0) yield piece.subarray(0, filled);
}

/**
 * Has pieces that became part of no file removed by housekeeping, once no write of them can still be under way. Never
 * rejects.
 */
export async function giveUp({ db, clock, log }: Deps, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const until = new Date(clock.now() + lateWrites);
  await sparePieces(db, keys, until).catch((error) => {
    log.warn("pieces of a chunk are removed later", { pieces: keys.length, error });
  });
}

/** Removes pieces of no file at once; what fails is left to housekeeping. Never rejects. */
export async function removeNow({ db, storage, log }: Deps, keys: string[]): Promise<void> {
  try {
    for (const key of keys) await storage.delete(key);
    await forgetPieces(db, keys);
  } catch (error) {
    log.debug("pieces are removed later", { pieces: keys.length, error });
  }
}

const spare = statement("attachment-pieces-spare")`
  UPDATE attachment_piece SET spared_until = $2
   WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;

/** Has pieces of no file looked at again after `until`. */
// change-ok -- the account of the storage: what is of no file is no part of the catalogue
async function sparePieces(db: Queryable, keys: string[], until: Date): Promise<void> {
  await db.query(spare, [keys, until.toISOString()]);
}
