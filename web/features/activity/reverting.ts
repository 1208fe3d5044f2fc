import { type Schema, send } from "#web/api/client.ts";
import { askDetails } from "#web/components/entity-details.ts";

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

type Ownership = Pick<Schema<"OwnershipActivityState">, "owner_name" | "title_name">;

/** What takes an event back, if that can be done. */
export type Reversal =
  | { kind: "description"; from: string; to: string }
  | { kind: "owner"; name: string; from: Ownership | undefined; to: Ownership | undefined };

/** How to take back a change of the description, or of one owner; undefined for every other event. */
export function reversalOf(
  { event_type, old_state, new_state }: Pick<
    Schema<"Activity">,
    "event_type" | "old_state" | "new_state"
  >,
): Reversal | undefined {
  if (event_type === "DESCRIPTION_UPDATED") {
    const from = new_state.description?.description ?? "";
    return { kind: "description", from, to: old_state.description?.description ?? "" };
  }
  if (!event_type.startsWith("OWNERSHIP_")) return undefined;
  const [before, after] = [byName(old_state.ownerships), byName(new_state.ownerships)];
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => !isSame(before.get(name), after.get(name)));
  if (changed.length !== 1) return undefined;
  const name = changed[0]!;
  return { kind: "owner", name, from: after.get(name), to: before.get(name) };
}

function isSame(a: Ownership | undefined, b: Ownership | undefined): boolean {
  if (!a || !b) return a === b;
  return (a.title_name ?? "") === (b.title_name ?? "");
}

function byName(list: Ownership[] | null | undefined): Map<string, Ownership> {
  return new Map((list ?? []).flatMap((one) => one.owner_name ? [[one.owner_name, one]] : []));
}
