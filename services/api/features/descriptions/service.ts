import type { Actor } from "#contract/actor.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/descriptions/queries.ts";
import { recordMentions } from "#services/api/features/terms/service.ts";

export { InternalName, InternalNameForm } from "#services/api/features/descriptions/schemas.ts";

type Deps = Pick<Context, "db">;

/**
 * Gives an entity the description that people read, Markdown, with links to the terms that it mentions; null takes it.
 * InternalDescription as JSON text. Throws 404, and 400 for a text that mentions too many terms.
 */
export function describeEntity(
  context: Deps,
  actor: Actor,
  id: number,
  description: string | null,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lockEntity(tx, id);
    const was = await queries.setText(tx, id, "internal_description", description);
    if (was) {
      const of = { kind: "data_entity", id } as const;
      await recordMentions(tx, of, description, "internal_description");
      const before = { description: was.before };
      const after = { description };
      change.record({ type: "DESCRIPTION_UPDATED", entityId: id, before, after });
      change.searchable([id]);
    }
    return await queries.descriptionJson(tx, id);
  });
}

/** Gives an entity the name that people read; null takes it. Returns the name. Throws 404. */
export function nameEntity(
  context: Deps,
  actor: Actor,
  id: number,
  name: string | null,
): Promise<string | null> {
  return changing(context, actor, async (change) => {
    await lockEntity(change.tx, id);
    const was = await queries.setText(change.tx, id, "internal_name", name);
    if (was) {
      const before = { internal_name: was.before };
      const after = { internal_name: name };
      change.record({ type: "BUSINESS_NAME_UPDATED", entityId: id, before, after });
      change.searchable([id]);
    }
    return name;
  });
}
