import { useInfiniteQuery } from "@tanstack/react-query";
import type { Schema } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { ManagedList, useListSearch } from "#web/features/management/managed-list.tsx";

/** Titles of owners, which are made where they are first given. */
export function Titles() {
  const search = useListSearch();
  const of = useInfiniteQuery(
    readPages("/api/titles", { params: { query: { query: search.query } } }),
  );
  return (
    <ManagedList<Schema<"Title">>
      title="Titles"
      about="What owners are responsible for; created when first used"
      what="title"
      search={search}
      of={of}
      columns={[{
        name: "Responsibility",
        cell: ({ name }) => <span className="foreign">{name}</span>,
      }]}
      empty="Give an owner of an entity or a term a title, such as Data steward: then it is here."
    />
  );
}
