import { ask } from "#web/api/client.ts";
import type { Ref } from "#web/features/entity/group-fields.tsx";

/** A group as it is now: what a form needs that replaces it whole. */
export interface GroupState {
  members: Ref[];
  /** Undefined where it is not known: the details do not tell it, and its activity is no longer kept. */
  namespace: string | undefined;
}

export async function groupState(id: number, signal: AbortSignal): Promise<GroupState> {
  const [members, namespace] = await Promise.all([
    allMembers(id, signal),
    lastNamespace(id, signal),
  ]);
  return { members, namespace };
}

/** All members, a thousand at a time. */
async function allMembers(id: number, signal: AbortSignal): Promise<Ref[]> {
  const all: Ref[] = [];
  for (let page = 1;; page++) {
    const { data } = await ask("get", "/api/dataentities/{data_entity_id}/references/{list}", {
      params: {
        path: { data_entity_id: id, list: "entities" },
        query: { page, size: 1_000 },
      },
      signal,
    });
    all.push(...data.items);
    if (!data.page_info.hasNext) return all;
  }
}

/** The namespace that the latest change of the group left it in; empty for none. */
async function lastNamespace(id: number, signal: AbortSignal): Promise<string | undefined> {
  const day = 86_400_000;
  for (const event_type of ["CUSTOM_GROUP_UPDATED", "CUSTOM_GROUP_CREATED"] as const) {
    const { data } = await ask("get", "/api/dataentities/{data_entity_id}/activity", {
      params: {
        path: { data_entity_id: id },
        query: {
          begin_date: new Date(0).toISOString(),
          end_date: new Date(Date.now() + day).toISOString(),
          size: 1,
          event_type,
        },
      },
      signal,
    });
    const state = data[0]?.new_state.custom_group;
    if (state) return state.namespace_name ?? "";
  }
  return undefined;
}
