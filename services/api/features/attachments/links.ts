import type { Actor } from "#contract/actor.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/attachments/queries.ts";
import type { DataEntityLinkForm } from "#services/api/features/attachments/schemas.ts";

type Deps = Pick<Context, "db" | "config">;

/** Adds links to an entity, all or none; DataEntityLink[] as JSON text. Throws 404, and 400 for too many. */
export function addLinks(
  context: Deps,
  actor: Actor,
  entityId: number,
  links: DataEntityLinkForm[],
): Promise<string> {
  const max = context.config.attachment["max-links"];
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    if (await queries.countLinks(tx, entityId) + links.length > max) {
      const message = `an entity has at most ${max} links (attachment.max-links)`;
      throw badRequest(`Invalid body: items: ${message}`, [{ field: "items", message }]);
    }
    return await queries.insertLinks(tx, entityId, links);
  });
}

/** Changes a link of an entity; DataEntityLink as JSON text. Throws 404, also for a link of another entity. */
export function changeLink(
  context: Deps,
  actor: Actor,
  entityId: number,
  id: number,
  form: DataEntityLinkForm,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntity(tx, entityId);
    const json = await queries.updateLink(tx, entityId, id, form);
    if (!json) throw notFound("Link", id);
    return json;
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
    if (!await queries.deleteLink(tx, entityId, id)) throw notFound("Link", id);
  });
}
