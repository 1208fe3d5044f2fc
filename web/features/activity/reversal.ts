import type { Schema } from "#web/api/client.ts";

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

export function isSame(a: Ownership | undefined, b: Ownership | undefined): boolean {
  if (!a || !b) return a === b;
  return (a.title_name ?? "") === (b.title_name ?? "");
}

function byName(list: Ownership[] | null | undefined): Map<string, Ownership> {
  return new Map((list ?? []).flatMap((one) => one.owner_name ? [[one.owner_name, one]] : []));
}
