import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask, type Schema } from "#web/api/client.ts";

/** What lineage does not contain about an entity. */
export type Brief = Schema<"DataEntityBrief">;

/** Entities of one request for details; the service takes no more. */
const maxRequested = 500;

/** Owners of entities by id, read for those that are looked at. */
export function useBriefs(ids: readonly number[]): ReadonlyMap<number, Brief> {
  const requested = [...ids].slice(0, maxRequested).sort((a, b) => a - b);
  const { data } = useQuery({
    queryKey: [briefsPath, requested],
    enabled: requested.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      new Map((await readBriefs(requested, signal)).map((item) => [item.id, item])),
  });
  return data ?? noBriefs;
}

const briefsPath = "/api/dataentities/details";
const noBriefs: ReadonlyMap<number, Brief> = new Map();

async function readBriefs(ids: readonly number[], signal?: AbortSignal): Promise<Brief[]> {
  const { data } = await ask("get", briefsPath, { params: { query: { ids: [...ids] } }, signal });
  return data.items;
}

/** Names of owners by id of entity, for a file; left out where they cannot be read. */
export async function ownersOf(ids: readonly number[]): Promise<ReadonlyMap<number, string[]>> {
  const owners = new Map<number, string[]>();
  for (let from = 0; from < ids.length; from += maxRequested) {
    const items = await readBriefs(ids.slice(from, from + maxRequested)).catch(() => []);
    for (const { id, ownership } of items) {
      owners.set(id, ownership?.map(({ owner }) => owner.name) ?? []);
    }
  }
  return owners;
}
