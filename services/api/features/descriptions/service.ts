import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { maxDescription, ReplacingDescription, ReplacingName } from "#contract/catalogue/inputs.ts";
import { LinkedTerm } from "#contract/catalogue/terms.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { recordMentions } from "#services/api/features/terms/service.ts";

/** A description in Markdown; null or blank: none. */
export const InternalDescriptionForm = z.object({ internal_description: ReplacingDescription })
  .openapi("InternalDescriptionFormData");

/** Null or blank: none. */
export const InternalNameForm = z.object({ internal_name: ReplacingName })
  .openapi("InternalNameFormData");

/** `internal_description` is empty where there is none. */
export const InternalDescription = z.object({
  internal_description: z.string(),
  terms: z.array(LinkedTerm),
}).openapi("InternalDescription");

/** Empty where there is none. */
export const InternalName = z.object({ internal_name: z.string() }).openapi("InternalName");

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
    const [was] = await tx.query(setText.internal_description, [id, description]);
    if (was) {
      const of = { kind: "data_entity", id } as const;
      await recordMentions(tx, of, description, "internal_description");
      const before = { description: was.before };
      const after = { description };
      change.record({ type: "DESCRIPTION_UPDATED", entityId: id, before, after });
      change.searchable([id]);
    }
    return (await tx.query(described, [id]))[0]!.json;
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
    const [was] = await change.tx.query(setText.internal_name, [id, name]);
    if (was) {
      const before = { internal_name: was.before };
      const after = { internal_name: name };
      change.record({ type: "BUSINESS_NAME_UPDATED", entityId: id, before, after });
      change.searchable([id]);
    }
    return name;
  });
}

const setting = (column: "internal_name" | "internal_description") =>
  statement<{ before: string | null }>(`entity-set-${column.replace("_", "-")}`)`
  UPDATE data_entity e SET ${column} = $2, updated_at = now()
    FROM data_entity was
   WHERE e.id = $1 AND was.id = e.id AND was.${column} IS DISTINCT FROM $2
  RETURNING was.${column} AS before`;

/** Set a text of a locked entity; return what it was, no row when it was the same. */
const setText = {
  internal_name: setting("internal_name"),
  internal_description: setting("internal_description"),
};

/** InternalDescription. */
const described = statement<JsonRow>("entity-description")`
  SELECT json_build_object('internal_description', coalesce(e.internal_description, ''),
                           'terms', json_terms(e.id))::text AS json
    FROM data_entity e WHERE e.id = $1`;

/** Limits of what people write about entities and fields. */
export const descriptionLimits: Limit[] = [
  limit("descriptions by users", "description, UTF-16 units", maxDescription),
];
