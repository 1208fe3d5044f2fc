import { send } from "#web/api/client.ts";
import { askDetails } from "#web/components/entity-details.ts";
import { isSame, type Reversal } from "#web/features/activity/reversal.ts";

/** Whether the entity still is what the event made it. */
export async function isStillSo(entity: number, reversal: Reversal): Promise<boolean> {
  const now = await askDetails(entity, { view: false });
  if (reversal.kind === "description") return (now.internal_description ?? "") === reversal.from;
  const given = now.ownership?.find(({ owner, external }) =>
    owner.name === reversal.name && !external
  );
  const is = given && { owner_name: given.owner.name, title_name: given.title?.name ?? null };
  return isSame(is, reversal.from);
}

/**
 * Makes the entity what it was before the event.
 *
 * @throws {ApiError} refused, or not reached
 */
export async function revert(entity: number, reversal: Reversal): Promise<void> {
  const path = { data_entity_id: entity };
  if (reversal.kind === "description") {
    const body = { internal_description: reversal.to || null };
    await send("put", "/api/dataentities/{data_entity_id}/description", { params: { path }, body });
    return;
  }
  const { name, from, to } = reversal;
  const title = { title_name: to?.title_name ?? null, propagate: false };
  if (!from) {
    const body = { owner_name: name, ...title };
    await send("post", "/api/dataentities/{data_entity_id}/ownership", { params: { path }, body });
    return;
  }
  const { ownership } = await askDetails(entity, { view: false });
  const given = ownership?.find(({ owner, external }) => owner.name === name && !external);
  if (!given) return;
  const params = { path: { ...path, ownership_id: given.id } };
  const one = "/api/dataentities/{data_entity_id}/ownership/{ownership_id}";
  if (to) await send("put", one, { params, body: title });
  else await send("delete", one, { params });
}
