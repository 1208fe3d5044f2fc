import { queryOptions } from "@tanstack/react-query";
import { ask, read } from "#web/api/client.ts";

const path = "/api/dataentities/{data_entity_id}";

/** The key under which details of an entity are remembered, for all who show them. */
export const detailsKey = (id: number) =>
  read(path, { params: { path: { data_entity_id: id } } }).queryKey;

/** Everything about an entity as it is now; `view`: whether somebody opens its page, which the service counts. */
export async function askDetails(
  id: number,
  { view, signal }: { view: boolean; signal?: AbortSignal },
) {
  const params = { path: { data_entity_id: id }, query: view ? {} : { count_view: false } };
  return (await ask("get", path, { params, signal })).data;
}

/** Everything about an entity, for whatever shows some of it: reading it is no view. */
export function readDetails(id: number) {
  return queryOptions({
    queryKey: detailsKey(id),
    queryFn: ({ signal }) => askDetails(id, { view: false, signal }),
  });
}
