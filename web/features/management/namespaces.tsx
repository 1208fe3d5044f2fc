import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, type Schema, send } from "#web/api/client.ts";
import { useCan } from "#web/components/permissions.ts";
import { ManagedList, NameDialog, useManaged } from "#web/features/management/managed-list.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";
import { textColumn } from "#web/kit/table.tsx";

type Namespace = Schema<"Namespace">;
const touches = ["/api/namespaces", "/api/terms", "/api/datasources", "/api/collectors"];

/** Namespaces: the departments and domains that sources, groups and terms belong to. */
export function Namespaces() {
  const can = useCan();
  const list = useManaged("/api/namespaces");
  return (
    <ManagedList<Namespace>
      title={t("management.namespaces")}
      about={t("management.groupsOfSourcesGroupsAnd")}
      what="namespace"
      {...list}
      columns={[
        textColumn(t("kit.name"), ({ name }) => name),
        { name: t("management.inIt"), cell: (one) => <Contents of={one} /> },
      ]}
      form={(close, row) => <NamespaceDialog of={row} onClose={close} />}
      canCreate={can("NAMESPACE_CREATE")}
      canEdit={() => can("NAMESPACE_UPDATE")}
      remove={{
        can: () => can("NAMESPACE_DELETE"),
        send: ({ id }) =>
          send("delete", "/api/namespaces/{namespace_id}", { path: { namespace_id: id } }),
        about: (one) => (
          <>
            <p>{t("management.itCanBeDeletedOnly")}</p>
            <Contents of={one} />
          </>
        ),
        touches,
      }}
      empty={t("management.namespacesDistinguishAssetsOfThe")}
    />
  );
}

function Contents({ of }: { of: Namespace }) {
  const search = { namespaces: String(of.id) } as never;
  return (
    <Rich
      of="management.entitiesAndTerms"
      tags={{
        entities: <Link to="/search" search={search} />,
        terms: <Link to="/terms" search={search} />,
      }}
    />
  );
}

/** Renaming begins with the name as it is now, which another manager may have changed. */
function NamespaceDialog({ of, onClose }: { of: Namespace | undefined; onClose: () => void }) {
  const now = useQuery({
    ...read("/api/namespaces/{namespace_id}", { path: { namespace_id: of?.id ?? 0 } }),
    enabled: of !== undefined,
    placeholderData: undefined,
    staleTime: 0,
  });
  if (of && now.isFetching) return null;
  const name = now.data?.name ?? of?.name;
  return (
    <NameDialog
      what="namespace"
      isNew={!of}
      initial={name}
      touches={touches}
      onClose={onClose}
      send={(name) =>
        of
          ? send("put", "/api/namespaces/{namespace_id}", {
            path: { namespace_id: of.id },
            body: { name },
          })
          : send("post", "/api/namespaces", { body: { name } })}
    />
  );
}
