import { ask } from "#web/api/client.ts";
import type { Side } from "#web/features/lineage/address.ts";

/** A page of the direct neighbours of an entity on one side. */
export async function neighboursOf(
  id: number,
  of: Side,
  query: { page: number; size: number },
  signal: AbortSignal,
) {
  const path = `/api/dataentities/{data_entity_id}/lineage/${of}/neighbours` as const;
  const params = { path: { data_entity_id: id }, query };
  return (await ask("get", path, { params, signal })).data;
}

/** What was loaded, with what its headers tell: how current it is, and what ended it. */
export function pieceOf<T>(loaded: T, headers: Headers) {
  const position = Number(headers.get("x-lineage-position") ?? NaN);
  return {
    loaded,
    position: Number.isFinite(position) ? position : null,
    truncated: headers.get("x-lineage-truncated"),
  };
}
