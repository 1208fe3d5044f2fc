import type { Actor } from "#contract/actor.ts";
import { invalidField, requireFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { columnsOf, type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { foundJson } from "#services/api/list-json.ts";
import type { DataEntityLinkForm } from "#services/api/features/attachments/schemas.ts";

export { maxFileBytes } from "#services/api/features/attachments/chunks.ts";
export { createTransfers } from "#services/api/features/attachments/transfers.ts";
export { cancelUpload, completeUpload } from "#services/api/features/attachments/uploads.ts";

type Deps = Pick<Context, "db">;

/** DataEntityAttachments as JSON text. Throws 404. */
export async function attachmentsOf({ db }: Deps, entityId: number) {
  return foundJson(await db.query(attachments, [entityId]), "Data entity", entityId);
}

/** Throws 404 for an unknown or hollow entity. */
export async function requireEntityThere({ db }: Deps, entityId: number): Promise<void> {
  requireFound(await db.query(existingEntity, [entityId]), "Data entity", entityId);
}

/** Deletes a file; its bytes follow soon after. Throws 404, also for a file of another entity. */
export function deleteFile(
  context: Deps,
  actor: Actor,
  entityId: number,
  id: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    await tx.query(detachPieces, [entityId, id]);
    requireFound(await tx.query(removeFile, [entityId, id]), "File", id);
  });
}

/** Adds links to an entity, all or none; DataEntityLink[] as JSON text. Throws 404, and 400 for too many. */
export function addLinks(
  context: Deps & Pick<Context, "config">,
  actor: Actor,
  entityId: number,
  links: DataEntityLinkForm[],
): Promise<string> {
  const max = context.config.attachment["max-links"];
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    const [count] = await tx.query(countLinks, [entityId]);
    if (count!.links + links.length > max) {
      throw invalidField("items", `an entity has at most ${max} links (attachment.max-links)`);
    }
    const values = [entityId, ...columnsOf(links, "name", "url")];
    return (await tx.query(insertLinks, values))[0]!.json;
  });
}

/** Changes a link of an entity; DataEntityLink as JSON text. Throws 404, also for a link of another entity. */
export function changeLink(
  context: Deps,
  actor: Actor,
  entityId: number,
  id: number,
  { name, url }: DataEntityLinkForm,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    return foundJson(await tx.query(updateLink, [entityId, id, name, url]), "Link", id);
  });
}

/** Throws 404, also for a link of another entity. */
export function removeLink(
  context: Deps,
  actor: Actor,
  entityId: number,
  id: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    requireFound(await tx.query(deleteLink, [entityId, id]), "Link", id);
  });
}

const attachments = statement<JsonRow>("attachments-of-entity")`
  SELECT json_attachments(id)::text AS json FROM data_entity WHERE id = $1 AND NOT hollow`;

const existingEntity = statement("attachment-entity-exists")`
  SELECT FROM data_entity WHERE id = $1 AND NOT hollow`;

/** The pieces of a complete file of a locked entity are left to be removed. */
const detachPieces = statement("attachment-file-detach")`
  UPDATE attachment_piece SET file_id = NULL, spared_until = now()
   WHERE file_id = (SELECT id FROM attachment_file
                     WHERE id = $2 AND entity_id = $1 AND completed_at IS NOT NULL)`;

const removeFile = statement<{ id: number }>("attachment-file-delete")`
  DELETE FROM attachment_file WHERE id = $2 AND entity_id = $1 AND completed_at IS NOT NULL
  RETURNING id`;

const countLinks = statement<{ links: number }>("attachment-link-count")`
  SELECT count(*)::integer AS links FROM attachment_link WHERE entity_id = $1`;

/** Adds links in their order; DataEntityLink[]. */
const insertLinks = statement<JsonRow>("attachment-link-insert")`
  WITH made AS (
    INSERT INTO attachment_link (entity_id, name, url)
    SELECT $1, name, url FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS w (name, url, place)
     ORDER BY place RETURNING *)
  SELECT coalesce(json_agg(json_attachment_link(made) ORDER BY id), '[]')::text AS json FROM made`;

const updateLink = statement<JsonRow>("attachment-link-update")`
  UPDATE attachment_link l SET name = $3, url = $4 WHERE id = $2 AND entity_id = $1
  RETURNING json_attachment_link(l)::text AS json`;

const deleteLink = statement<{ id: number }>("attachment-link-delete")`
  DELETE FROM attachment_link WHERE id = $2 AND entity_id = $1 RETURNING id`;
