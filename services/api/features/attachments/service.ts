import type { Actor } from "#contract/actor.ts";
import { notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/attachments/queries.ts";

export * from "#services/api/features/attachments/links.ts";
export * from "#services/api/features/attachments/removal.ts";
export { createTransfers } from "#services/api/features/attachments/transfers.ts";
export {
  cancelUpload,
  completeUpload,
  maxFileBytes,
} from "#services/api/features/attachments/uploads.ts";

/** DataEntityAttachments as JSON text. Throws 404. */
export async function attachmentsOf({ db }: Pick<Context, "db">, entityId: number) {
  const json = await queries.attachmentsJson(db, entityId);
  if (!json) throw notFound("Data entity", entityId);
  return json;
}

/** Throws 404 for an unknown or hollow entity. */
export async function requireEntityThere(
  { db }: Pick<Context, "db">,
  entityId: number,
): Promise<void> {
  if (!await queries.entityExists(db, entityId)) throw notFound("Data entity", entityId);
}

/** Deletes a file; its bytes follow soon after. Throws 404, also for a file of another entity. */
export function deleteFile(
  context: Pick<Context, "db">,
  actor: Actor,
  entityId: number,
  id: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    if (!await queries.deleteFile(tx, entityId, id)) throw notFound("File", id);
  });
}
