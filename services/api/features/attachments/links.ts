import type { Actor } from "#contract/actor.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { holdEntity } from "#metadata/catalogue/entities.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/attachments/queries.ts";
import type { DataEntityLinkForm } from "#services/api/features/attachments/schemas.ts";

type Tools = Pick<Context, "db" | "config">;

/** Adds links to an entity, all or none; DataEntityLink[] as JSON text. Throws 404, and 400 for too many. */
export function addLinks(
  context: Tools,
  actor: Actor,
  entityId: number,
  links: DataEntityLinkForm[],
): Promise<string> {
  const most = context.config.attachment["max-links"];
  return changing(context, actor, async ({ tx }) => {
    await holdEntity(tx, entityId);
    if (await queries.countLinks(tx, entityId) + links.length > most) {
      const message = `an entity has at most ${most} links (attachment.max-links)`;
      throw badRequest(`Invalid body: items: ${message}`, [{ field: "items", message }]);
    }
    return await queries.insertLinks(tx, entityId, links);
  });
}

/** Changes a link of an entity; DataEntityLink as JSON text. Throws 404, also for a link of another entity. */
export function changeLink(
  context: Tools,
  actor: Actor,
  entityId: number,
  id: number,
  form: DataEntityLinkForm,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await holdEntity(tx, entityId);
    const json = await queries.updateLink(tx, entityId, id, form);
    if (!json) throw notFound("Link", id);
    return json;
  });
}

/** Throws 404, also for a link of another entity. */
export function removeLink(
  context: Tools,
  actor: Actor,
  entityId: number,
  id: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await holdEntity(tx, entityId);
    if (!await queries.deleteLink(tx, entityId, id)) throw notFound("Link", id);
  });
}
