import type { Schema } from "#web/api/client.ts";
import { ManagedList, useManaged } from "#web/features/management/managed-list.tsx";
import { t } from "#web/messages/text.ts";
import { textColumn } from "#web/kit/table.tsx";

/** Titles of owners, which are made where they are first given. */
export function Titles() {
  const list = useManaged("/api/titles");
  return (
    <ManagedList<Schema<"Title">>
      title={t("management.titles")}
      about={t("management.whatOwnersAreResponsibleFor")}
      what="title"
      {...list}
      columns={[textColumn(t("management.responsibility"), ({ name }) => name)]}
      empty={t("management.giveAnOwnerOfAn")}
    />
  );
}
