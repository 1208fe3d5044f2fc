import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { toast } from "#web/kit/toast.ts";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { t } from "#web/messages/text.ts";

/** Binds a user to an owner, whatever either was bound to before. */
export function BindDialog(
  { owner, onClose }: { owner: Schema<"Owner">; onClose: () => void },
) {
  const now = owner.associated_user;
  const [username, setUsername] = useState(now?.oidc_username ?? "");
  const [provider, setProvider] = useState(now?.provider ?? "");
  const providers = useProviders();
  const queries = useQueryClient();
  const form = useForm(
    () =>
      send("post", "/api/owners/mapping", {
        body: { owner_id: owner.id, oidc_username: username.trim(), provider: provider || null },
      }),
    async () => {
      onClose();
      toast(t("management.is2", { username: username.trim(), ownerName: owner.name }));
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
      <TextField
        label={t("management.userName")}
        value={username}
        autoFocus
        hint={t("management.asTheIdentityProviderNames")}
        error={form.errorOf("oidc_username")}
        onChange={({ target }) => setUsername(target.value)}
      />
      <SelectField
        label={t("management.signsInWith")}
        value={provider}
        options={[["", t("management.notSaid")], ...providers.map((one) => [one, one] as const)]}
        error={form.errorOf("provider")}
        onChange={({ target }) => setProvider(target.value)}
      />
    </FormDialog>
  );
}

/** Names of identity providers, those that people can sign in with first. */
export function useProviders(): string[] {
  const { data } = useQuery({ ...read("/api/owners/providers"), staleTime: Infinity });
  return [...new Set([...data?.active_providers ?? [], ...data?.default_providers ?? []])];
}
