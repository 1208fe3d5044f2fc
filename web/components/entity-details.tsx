import { queryOptions, useQuery } from "@tanstack/react-query";
import { ask, read } from "#web/api/client.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import type { EntityTab } from "#web/components/entity-tabs.ts";
import { t } from "#web/messages/text.ts";

const detailsPath = "/api/dataentities/{data_entity_id}";

/** The key under which details of an entity are remembered, for all who show them. */
export const detailsKey = (id: number) =>
  read(detailsPath, { path: { data_entity_id: id } }).queryKey;

/** Everything about an entity as it is now; `view`: whether somebody opens its page, which the service counts. */
export async function askDetails(
  id: number,
  { view, signal }: { view: boolean; signal?: AbortSignal },
) {
  return (await ask("get", detailsPath, {
    path: { data_entity_id: id },
    query: view ? {} : { count_view: false },
    signal,
  })).data;
}

/** Everything about an entity, for whatever shows some of it: reading it is no view. */
export function readDetails(id: number) {
  return queryOptions({
    queryKey: detailsKey(id),
    queryFn: ({ signal }) => askDetails(id, { view: false, signal }),
  });
}

/** An entity of which only the id is known; by its number until its name is. */
export function EntityById({ id, tab }: { id: number; tab?: EntityTab }) {
  const { data } = useQuery({
    ...read("/api/dataentities/details", { query: { ids: [id] } }),
    staleTime: 5 * 60_000,
    placeholderData: undefined,
    retry: false,
  });
  const found = data?.items[0];
  return found
    ? <EntityLink of={found} tab={tab} />
    : <span className="soft">{t("components.entityNumber", { id })}</span>;
}
