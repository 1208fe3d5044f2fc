import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { Badge, chipClass, ChipRow } from "#web/kit/badge.tsx";
import type { Column } from "#web/kit/table.tsx";
import { useCan } from "#web/components/permissions.ts";
import { type NamedItem, PickMany } from "#web/components/pickers.tsx";
import { ManagedList, NameDialog, useManaged } from "#web/features/management/managed-list.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Role = Schema<"Role">;
const touches = ["/api/roles", "/api/owners", "/api/identity/whoami", "/api/resource"];
/** Roles that are always there; of the second the policies can change. */
const [administrator, user] = ["Administrator", "User"];

/** Roles: sets of policies that owners are given. */
export function Roles() {
  const can = useCan();
  const list = useManaged("/api/roles");
  return (
    <ManagedList<Role>
      title={t("management.roles")}
      about={t("management.whatOwnersMayDoIs")}
      what="role"
      {...list}
      columns={columns()}
      form={(close, row) => <RoleDialog of={row} onClose={close} />}
      canCreate={can("ROLE_CREATE")}
      canEdit={({ name }) => name !== administrator && can("ROLE_UPDATE")}
      remove={{
        can: ({ name }) => name !== administrator && name !== user && can("ROLE_DELETE"),
        send: ({ id }) => send("delete", "/api/roles/{role_id}", { path: { role_id: id } }),
        about: () => (
          <p>
            <Rich
              of="management.roleDeletable"
              tags={{ owner: <Link to="/management/$section" params={{ section: "owners" }} /> }}
            />
          </p>
        ),
        touches,
      }}
      empty={t("management.aRoleBindsPoliciesTogether")}
    />
  );
}

const columns = (): Column<Role>[] => [
  {
    name: t("management.columnRole"),
    cell: ({ name }) => (
      <>
        <span className="foreign">{name}</span>{" "}
        {name === user && <Badge>{t("management.forUsersWithoutAnotherRole")}</Badge>}
      </>
    ),
  },
  {
    name: t("management.policies"),
    cell: ({ policies }) => (
      <ChipRow>
        {policies.length === 0 && <span className="soft">{t("management.noneGrantsNothing")}</span>}
        {policies.map(({ id, name }) => (
          <Link
            key={id}
            to="/management/$section"
            params={{ section: "policies" }}
            search={{ policy: String(id) } as never}
            className={chipClass}
          >
            {name}
          </Link>
        ))}
      </ChipRow>
    ),
  },
];

function RoleDialog({ of, onClose }: { of: Role | undefined; onClose: () => void }) {
  const [policies, setPolicies] = useState<NamedItem[]>(of?.policies ?? []);
  return (
    <NameDialog
      what="role"
      isNew={!of}
      initial={of?.name}
      touches={touches}
      onClose={onClose}
      send={(name) => {
        const body = { name, policies: policies.map(({ id }) => ({ id })) };
        return of
          ? send("put", "/api/roles/{role_id}", { path: { role_id: of.id }, body })
          : send("post", "/api/roles", { body });
      }}
    >
      {({ errorOf }) => (
        <PickMany
          label={t("management.policies")}
          list="/api/policies"
          value={policies}
          onValue={setPolicies}
          error={errorOf("policies")}
        />
      )}
    </NameDialog>
  );
}
