import { useInfiniteQuery } from "@tanstack/react-query";
import type { Schema } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { ManagedList, useListSearch } from "#web/features/management/managed-list.tsx";
import { t } from "#web/messages/text.ts";

/** Titles of owners, which are made where they are first given. */
export function Titles() {
  const search = useListSearch();
  const of = useInfiniteQuery(
    readPages("/api/titles", { params: { query: { query: search.query } } }),
  );
  return (
    <ManagedList<Schema<"Title">>
      title={t("management.titles")}
      about={t("management.whatOwnersAreResponsibleFor")}
      what="title"
      search={search}
      of={of}
      columns={[{
        name: t("management.responsibility"),
        cell: ({ name }) => <span className="foreign">{name}</span>,
      }]}
      empty={t("management.giveAnOwnerOfAn")}
    />
  );
}
