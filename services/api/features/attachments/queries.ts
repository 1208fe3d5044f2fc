import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { DataEntityLinkForm } from "#services/api/features/attachments/schemas.ts";

const attachments = statement<JsonRow>("attachments-of-entity")`
  SELECT json_attachments(id)::text AS json FROM data_entity WHERE id = $1 AND NOT hollow`;

/** DataEntityAttachments as JSON text; undefined for an unknown or hollow entity. */
export async function attachmentsJson(db: Queryable, entityId: number) {
  return (await db.query(attachments, [entityId]))[0]?.json;
}

const exists = statement("attachment-entity-exists")`
  SELECT FROM data_entity WHERE id = $1 AND NOT hollow`;

export async function entityExists(db: Queryable, entityId: number): Promise<boolean> {
  return (await db.query(exists, [entityId])).length > 0;
}

export interface StoredFile {
  name: string;
  media_type: string;
  size: number;
  /** Its pieces in their order. */
  keys: string[];
  sizes: number[];
}

const file = statement<StoredFile>("attachment-file")`
  SELECT f.name, f.media_type, f.size,
         coalesce(array_agg(p.key::text ORDER BY p.chunk, p.place)
           FILTER (WHERE p.key IS NOT NULL), '{}') AS keys,
         coalesce(array_agg(p.size ORDER BY p.chunk, p.place)
           FILTER (WHERE p.key IS NOT NULL), '{}') AS sizes
    FROM attachment_file f
    JOIN data_entity e ON e.id = f.entity_id AND NOT e.hollow
    LEFT JOIN attachment_piece p ON p.file_id = f.id
   WHERE f.id = $2 AND f.entity_id = $1 AND f.completed_at IS NOT NULL
   GROUP BY f.id`;

/** A complete file of an entity. */
export async function storedFile(
  db: Queryable,
  entityId: number,
  id: number,
): Promise<StoredFile | undefined> {
  return (await db.query(file, [entityId, id]))[0];
}

const dropPieces = statement("attachment-file-detach")`
  UPDATE attachment_piece SET file_id = NULL, spared_until = now()
   WHERE file_id = (SELECT id FROM attachment_file
                     WHERE id = $2 AND entity_id = $1 AND completed_at IS NOT NULL)`;

const drop = statement<{ id: number }>("attachment-file-delete")`
  DELETE FROM attachment_file WHERE id = $2 AND entity_id = $1 AND completed_at IS NOT NULL
  RETURNING id`;

/** Deletes a complete file of a locked entity; its pieces are left to be removed. False when there is none. */
export async function deleteFile(tx: Transaction, entityId: number, id: number): Promise<boolean> {
  await tx.query(dropPieces, [entityId, id]);
  return (await tx.query(drop, [entityId, id])).length > 0;
}

const linkCount = statement<{ links: number }>("attachment-link-count")`
  SELECT count(*)::integer AS links FROM attachment_link WHERE entity_id = $1`;

export async function countLinks(tx: Transaction, entityId: number): Promise<number> {
  return (await tx.query(linkCount, [entityId]))[0]!.links;
}

const addLinks = statement<JsonRow>("attachment-link-insert")`
  WITH made AS (
    INSERT INTO attachment_link (entity_id, name, url)
    SELECT $1, name, url FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS w (name, url, place)
     ORDER BY place RETURNING *)
  SELECT coalesce(json_agg(json_attachment_link(made) ORDER BY id), '[]')::text AS json FROM made`;

/** Adds links in their order; DataEntityLink[] as JSON text. */
export async function insertLinks(
  tx: Transaction,
  entityId: number,
  links: DataEntityLinkForm[],
): Promise<string> {
  const names = links.map(({ name }) => name);
  return (await tx.query(addLinks, [entityId, names, links.map(({ url }) => url)]))[0]!.json;
}

const setLink = statement<JsonRow>("attachment-link-update")`
  UPDATE attachment_link l SET name = $3, url = $4 WHERE id = $2 AND entity_id = $1
  RETURNING json_attachment_link(l)::text AS json`;

/** DataEntityLink as JSON text; undefined when the entity has no such link. */
export async function updateLink(
  tx: Transaction,
  entityId: number,
  id: number,
  { name, url }: DataEntityLinkForm,
): Promise<string | undefined> {
  return (await tx.query(setLink, [entityId, id, name, url]))[0]?.json;
}

const dropLink = statement<{ id: number }>("attachment-link-delete")`
  DELETE FROM attachment_link WHERE id = $2 AND entity_id = $1 RETURNING id`;

/** False when the entity has no such link. */
export async function deleteLink(tx: Transaction, entityId: number, id: number): Promise<boolean> {
  return (await tx.query(dropLink, [entityId, id])).length > 0;
}
