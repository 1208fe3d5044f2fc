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
        title="Policies"
        about="Each grants permissions on what meets its conditions; roles gather them, and nothing is denied"
        what="policy"
        search={search}
        of={of}
        canCreate={can("POLICY_CREATE")}
        onCreate={() => change({ policy: "new" }, true)}
        columns={[{
          name: "Policy",
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
              {name === fixed && <Badge>Built-in</Badge>}
            </>
          ),
        }]}
        remove={{
          can: ({ name }) => name !== fixed && can("POLICY_DELETE"),
          send: ({ id }) =>
            send("delete", "/api/policies/{policy_id}", { params: { path: { policy_id: id } } }),
          about: () => (
            <p>
              It can be deleted only while no{" "}
              <Link to="/management/$section" params={{ section: "roles" }}>role</Link> has it.
            </p>
          ),
          touches: ["/api/policies", "/api/roles"],
        }}
        empty="A policy grants permissions, such as that owners may describe what they own."
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
    <Dialog open onClose={onClose} title="Policy" wide>
      <Shown of={schema.error ? schema : details} what="policy" bones={12}>{() => null}</Shown>
    </Dialog>
  );
}
