import { useQueries } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";

/** Entities of one request, as many as a page of results has. */
const chunk = 50;

/** What entities are described as, by id: read page by page, since a list grows while it is scrolled. */
export function useDescriptions(ids: readonly number[]): ReadonlyMap<number, string> {
  const chunks = Array.from(
    { length: Math.ceil(ids.length / chunk) },
    (_, at) => ids.slice(at * chunk, (at + 1) * chunk),
  );
  return useQueries({
    queries: chunks.map((some) => ({
      ...read("/api/dataentities/details", { params: { query: { ids: some } } }),
      placeholderData: undefined,
    })),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }) => data?.items ?? [])
          .flatMap(({ id, description }) => description ? [[id, description] as const] : []),
      ),
  });
}
