import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, type Schema, send } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { useCan } from "#web/components/permissions.ts";
import type { JsonSchema } from "#web/features/management/json-schema.ts";
import { ManagedList, useListSearch } from "#web/features/management/managed-list.tsx";
import { PolicyDialog } from "#web/features/management/policy-dialog.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Policy = Schema<"Policy">;
/** The policy that is always there. */
const fixed = "Administrator";

/** Policies: documents that say what is allowed on what. The one that is open stands in the address. */
export function Policies() {
  const can = useCan();
  const search = useListSearch();
  const [{ policy: open }, change] = useParamsOfView();
  const of = useInfiniteQuery(
    readPages("/api/policies", { params: { query: { query: search.query } } }),
  );
  return (
    <>
      <ManagedList<Policy>
        title={t("management.policies")}
        about={t("management.eachGrantsPermissionsOnWhat")}
        what="policy"
        search={search}
        of={of}
        canCreate={can("POLICY_CREATE")}
        onCreate={() => change({ policy: "new" }, true)}
        columns={[{
          name: t("management.policy2"),
          cell: ({ id, name }) => (
            <>
              <Link
                to="/management/$section"
                params={{ section: "policies" }}
                search={{ policy: String(id) } as never}
                className="foreign"
              >
                {name}
              </Link>{" "}
              {name === fixed && <Badge>{t("management.builtIn")}</Badge>}
            </>
          ),
        }]}
        remove={{
          can: ({ name }) => name !== fixed && can("POLICY_DELETE"),
          send: ({ id }) =>
            send("delete", "/api/policies/{policy_id}", { params: { path: { policy_id: id } } }),
          about: () => (
            <p>
              <Rich
                of="management.policyDeletable"
                tags={{ role: <Link to="/management/$section" params={{ section: "roles" }} /> }}
              />
            </p>
          ),
          touches: ["/api/policies", "/api/roles"],
        }}
        empty={t("management.aPolicyGrantsPermissionsSuch")}
      />
      {open && <OpenPolicy id={open} onClose={() => change({ policy: undefined })} />}
    </>
  );
}

function OpenPolicy({ id, onClose }: { id: string; onClose: () => void }) {
  const can = useCan();
  const isNew = id === "new";
  const schema = useQuery({ ...read("/api/policies/schema"), staleTime: Infinity });
  const details = useQuery({
    ...read("/api/policies/{policy_id}", { params: { path: { policy_id: Number(id) || 0 } } }),
    enabled: !isNew,
    placeholderData: undefined,
    // The edited document must not change while somebody edits it.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (schema.data && (isNew || details.data)) {
    const fits = details.data?.name !== fixed && can(isNew ? "POLICY_CREATE" : "POLICY_UPDATE");
    return (
      <PolicyDialog
        of={isNew ? undefined : details.data}
        schema={schema.data as JsonSchema}
        canSave={fits}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onClose={onClose} title={t("management.policy2")} wide>
      <Shown of={schema.error ? schema : details} what={t("management.policy")} bones={12}>
        {() => null}
      </Shown>
    </Dialog>
  );
}
