import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Eye, UserRoundCheck, UserRoundX } from "lucide-react";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { useAppInfo, useCan, viewAs } from "#web/components/permissions.ts";
import { type NamedItem, PickMany } from "#web/components/pickers.tsx";
import { ManagedList, NameDialog, useManaged } from "#web/features/management/managed-list.tsx";
import { Badge, ChipRow } from "#web/kit/badge.tsx";
import { IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { FormDialog, type FormFields, useForm } from "#web/kit/form.tsx";
import type { Column } from "#web/kit/table.tsx";
import { toast } from "#web/kit/toast.ts";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Owner = Schema<"Owner">;

/** Paths whose answers are old when an owner has changed. */
const touches = ["/api/owners", "/api/identity/whoami", "/api/dataentities", "/api/terms"];

/** Owners: people and teams, their roles, and the user that each is. */
export function Owners() {
  const can = useCan();
  const [binding, setBinding] = useState<Owner>();
  const [unbinding, setUnbinding] = useState<Owner>();
  const list = useManaged("/api/owners");
  return (
    <>
      <ManagedList<Owner>
        title={t("kit.owners")}
        about={t("management.peopleAndTeamsThatOwn")}
        what="owner"
        {...list}
        columns={columns()}
        form={(close, row) => <OwnerDialog of={row} onClose={close} />}
        canCreate={can("OWNER_CREATE")}
        canEdit={() => can("OWNER_UPDATE")}
        actions={(row) =>
          can("OWNER_RELATION_MANAGE") && (
            <BindButtons
              of={row}
              onBind={() => setBinding(row)}
              onUnbind={() => setUnbinding(row)}
            />
          )}
        remove={{
          can: () => can("OWNER_DELETE"),
          send: ({ id }) => send("delete", "/api/owners/{owner_id}", { path: { owner_id: id } }),
          about: ({ id, associated_user: user }) => (
            <RemovalCondition id={id} user={user?.oidc_username} />
          ),
          touches,
        }}
        empty={t("management.createOwnersHereOrBy")}
      />
      {binding && <BindDialog owner={binding} onClose={() => setBinding(undefined)} />}
      {unbinding && <Unbind owner={unbinding} onClose={() => setUnbinding(undefined)} />}
    </>
  );
}

function RemovalCondition({ id, user }: { id: number; user: string | null | undefined }) {
  const search = { owners: String(id) } as never;
  const tags = {
    entities: <Link to="/search" search={search} />,
    terms: <Link to="/terms" search={search} />,
  };
  return (
    <p>
      {user
        ? <Rich of="management.ownerDeletableUnbound" values={{ user }} tags={tags} />
        : <Rich of="management.ownerDeletable" tags={tags} />}
    </p>
  );
}

const columns = (): Column<Owner>[] => [
  {
    name: t("kit.name"),
    cell: ({ id, name }) => (
      <Link to="/owners/$id" params={{ id: String(id) }} className="foreign">{name}</Link>
    ),
  },
  {
    name: t("management.roles"),
    cell: ({ roles }) => (
      <ChipRow>{(roles ?? []).map(({ id, name }) => <Badge key={id}>{name}</Badge>)}</ChipRow>
    ),
  },
  {
    name: t("management.columnUser"),
    cell: ({ associated_user: user }) =>
      user?.oidc_username
        ? (
          <span className="foreign">
            {user.oidc_username} <span className="soft">{user.provider}</span>
          </span>
        )
        : <span className="soft">{t("management.none")}</span>,
  },
];

function BindButtons(
  { of, onBind, onUnbind }: { of: Owner; onBind: () => void; onUnbind: () => void },
) {
  const { oidc_username: username, provider = null } = of.associated_user ?? {};
  const signsIn = useAppInfo().data?.authType !== "DISABLED";
  return (
    <>
      <IconButton label={t("management.bindAUserTo", { owner: of.name })} small onClick={onBind}>
        <UserRoundCheck />
      </IconButton>
      {username && signsIn && (
        <IconButton
          label={t("management.viewAs", { user: username })}
          small
          onClick={() => viewAs({ username, provider })}
        >
          <Eye />
        </IconButton>
      )}
      {username && (
        <IconButton
          label={t("management.unbindTheUserOf", { owner: of.name })}
          small
          onClick={onUnbind}
        >
          <UserRoundX />
        </IconButton>
      )}
    </>
  );
}

function OwnerDialog({ of, onClose }: { of: Owner | undefined; onClose: () => void }) {
  const [roles, setRoles] = useState<NamedItem[]>(of?.roles ?? []);
  return (
    <NameDialog
      what="owner"
      isNew={!of}
      initial={of?.name}
      touches={touches}
      onClose={onClose}
      send={(name) => {
        const body = { name, roles: roles.map(({ id }) => ({ id })) };
        return of
          ? send("put", "/api/owners/{owner_id}", { path: { owner_id: of.id }, body })
          : send("post", "/api/owners", { body });
      }}
    >
      {({ errorOf }) => (
        <PickMany
          label={t("management.roles")}
          hint={t("management.permissionsOfTheLinkedUser")}
          list="/api/roles"
          value={roles}
          onValue={setRoles}
          error={errorOf("roles")}
        />
      )}
    </NameDialog>
  );
}

/** Binds a user to an owner, whatever either was bound to before. */
function BindDialog({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const { username, provider, fields } = useUserFields(owner.associated_user);
  const queries = useQueryClient();
  const form = useForm(
    () =>
      send("post", "/api/owners/mapping", {
        body: { owner_id: owner.id, oidc_username: username, provider: provider || null },
      }),
    async () => {
      onClose();
      toast(t("management.is2", { username, ownerName: owner.name }));
      await refresh(queries, "/api/owners", "/api/owner_association_request", "/api/identity");
    },
  );
  return (
    <FormDialog
      title={t("management.bindAUserTo", { owner: owner.name })}
      about={t("management.theUserGetsTheRoles")}
      save={t("management.bind")}
      form={form}
      onClose={onClose}
      onSave={() => form.submit(undefined)}
    >
      {fields(form, "oidc_username", t("management.asTheIdentityProviderNames"))}
    </FormDialog>
  );
}

function Unbind({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const queries = useQueryClient();
  const names = { user: owner.associated_user?.oidc_username ?? "", owner: owner.name };
  const unbind = async () => {
    await send("delete", "/api/owners/mapping/{owner_id}", { path: { owner_id: owner.id } });
    toast(t("management.isNoLonger", names));
    await refresh(queries, ...touches);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t("management.unbindFrom", names)}
      action={t("management.unbindTheUser")}
      onConfirm={unbind}
    >
      <p>{t("management.theUserLosesTheRoles")}</p>
    </Confirm>
  );
}

/** A user of an identity provider, and the fields that name one; `now`: who is in them at first. */
export function useUserFields(now?: Owner["associated_user"]) {
  const [username, setUsername] = useState(now?.oidc_username ?? "");
  const [provider, setProvider] = useState(now?.provider ?? "");
  const { data } = useQuery({ ...read("/api/owners/providers"), staleTime: Infinity });
  // Those that people can sign in with come first.
  const known = new Set([...data?.active_providers ?? [], ...data?.default_providers ?? []]);
  const fields = ({ field }: FormFields, name: string, hint?: string) => (
    <>
      <TextField
        label={t("management.userName")}
        autoFocus
        hint={hint}
        {...field(name, username, setUsername)}
      />
      <SelectField
        label={t("management.signsInWith")}
        options={[["", t("management.notSaid")], ...[...known].map((one) => [one, one] as const)]}
        {...field("provider", provider, setProvider)}
      />
    </>
  );
  return { username: username.trim(), provider, fields };
}
