import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

export interface Counts {
  /** Files of the entity, with those that are being uploaded. */
  files: number;
  /** Uploads that are not complete: of the entity, and in all. */
  open: number;
  openInAll: number;
  /** Those of the caller, and bytes of its complete files. */
  openOfCaller: number;
  bytesOfCaller: number;
}

// Those in all are bounded, so that counting never costs more than what is allowed.
const counts = statement<Counts>("attachment-counts")`
  SELECT count(*)::integer AS files,
         count(*) FILTER (WHERE completed_at IS NULL)::integer AS open,
         (SELECT count(*)::integer FROM (
            SELECT FROM attachment_file WHERE completed_at IS NULL LIMIT $2) o) AS "openInAll",
         (SELECT count(*)::integer FROM attachment_file
           WHERE share = $3 AND completed_at IS NULL) AS "openOfCaller",
         (SELECT coalesce(sum(size), 0)::bigint FROM attachment_file
           WHERE share = $3 AND completed_at IS NOT NULL) AS "bytesOfCaller"
    FROM attachment_file WHERE entity_id = $1`;

/** `share`: of the caller. `max`: of the uploads in all, no more are counted. */
export async function countFiles(tx: Transaction, entityId: number, share: string, max: number) {
  return (await tx.query(counts, [entityId, max, share]))[0]!;
}

const insert = statement("attachment-upload-insert")`
  INSERT INTO attachment_file (entity_id, upload_id, name, share) VALUES ($1, $2, $3, $4)`;

export async function insertUpload(
  tx: Transaction,
  entityId: number,
  uploadId: string,
  name: string,
  share: string,
): Promise<void> {
  await tx.query(insert, [entityId, uploadId, name, share]);
}

export interface Upload {
  /** Id of the file that it becomes. */
  id: number;
  complete: boolean;
}

const readUpload = statement<Upload>("attachment-upload")`
  SELECT f.id, f.completed_at IS NOT NULL AS complete FROM attachment_file f
    JOIN data_entity e ON e.id = f.entity_id AND NOT e.hollow
   WHERE f.upload_id = $2 AND f.entity_id = $1`;

export async function upload(db: Queryable, entityId: number, uploadId: string) {
  return (await db.query(readUpload, [entityId, uploadId]))[0];
}

const lock = statement<Upload>("attachment-upload-lock")`
  SELECT id, completed_at IS NOT NULL AS complete FROM attachment_file
   WHERE upload_id = $2 AND entity_id = $1 FOR UPDATE`;

export async function lockUpload(tx: Transaction, entityId: number, uploadId: string) {
  return (await tx.query(lock, [entityId, uploadId]))[0];
}

const announce = statement("attachment-piece-announce")`
  INSERT INTO attachment_piece (key, size, spared_until)
  VALUES ($1, $2, now() + $3 * interval '1 millisecond')`;

/** Notes an object that is about to be written, and that is removed after `spareMs` unless it becomes part of a file. */
// change-ok -- the account of the storage: what is of no file is no part of the catalogue
export async function announcePiece(
  db: Queryable,
  key: string,
  size: number,
  spareMs: number,
): Promise<void> {
  await db.query(announce, [key, size, spareMs]);
}

const detach = statement<{ key: string }>("attachment-chunk-detach")`
  UPDATE attachment_piece SET file_id = NULL, spared_until = now()
   WHERE file_id = $1 AND chunk = $2 RETURNING key::text`;

/** Takes a chunk out of an upload; returns its pieces. */
export async function detachChunk(tx: Transaction, fileId: number, index: number) {
  return (await tx.query(detach, [fileId, index])).map(({ key }) => key);
}

const attach = statement<{ key: string }>("attachment-chunk-attach")`
  UPDATE attachment_piece p SET file_id = $1, chunk = $2, place = w.place
    FROM unnest($3::uuid[]) WITH ORDINALITY AS w (key, place)
   WHERE p.key = w.key AND p.file_id IS NULL AND p.spared_until > now() AND p.removal_failures = 0
  RETURNING p.key::text`;

/** Makes announced pieces a chunk of an upload; returns how many of them still were there to be taken. */
export async function attachChunk(
  tx: Transaction,
  fileId: number,
  index: number,
  keys: string[],
): Promise<number> {
  return (await tx.query(attach, [fileId, index, keys])).length;
}

const setType = statement("attachment-upload-type")`
  UPDATE attachment_file SET media_type = $2 WHERE id = $1`;

export async function setMediaType(tx: Transaction, fileId: number, type: string): Promise<void> {
  await tx.query(setType, [fileId, type]);
}

export interface Chunks {
  /** Indexes that are there, ascending. */
  indexes: number[];
  /** Bytes in all. */
  size: number;
}

const chunks = statement<Chunks>("attachment-upload-chunks")`
  SELECT coalesce(array_agg(DISTINCT chunk ORDER BY chunk), '{}') AS indexes,
         coalesce(sum(size), 0)::bigint AS size
    FROM attachment_piece WHERE file_id = $1`;

export async function chunksOf(tx: Transaction, fileId: number): Promise<Chunks> {
  return (await tx.query(chunks, [fileId]))[0]!;
}

const finish = statement("attachment-upload-complete")`
  UPDATE attachment_file SET size = $2, completed_at = now() WHERE id = $1`;

export async function completeUpload(tx: Transaction, fileId: number, size: number): Promise<void> {
  await tx.query(finish, [fileId, size]);
}

const json = statement<JsonRow>("attachment-file-json")`
  SELECT json_attachment_file(f)::text AS json FROM attachment_file f WHERE id = $1`;

/** DataEntityFile as JSON text. */
export async function fileJson(tx: Transaction, fileId: number): Promise<string> {
  return (await tx.query(json, [fileId]))[0]!.json;
}
