import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refresh, send } from "#web/api/client.ts";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.ts";
import { toast } from "#web/kit/toast.tsx";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { useProviders } from "#web/features/management/bind-dialog.tsx";
import { t } from "#web/messages/text.ts";

/** Ends all personal tokens of a user, such as of somebody who has left. */
export function RevokeAll({ onClose }: { onClose: () => void }) {
  const [username, setUsername] = useState("");
  const [provider, setProvider] = useState("");
  const providers = useProviders();
  const queries = useQueryClient();
  const form = useForm(
    () =>
      send("delete", "/api/identity/tokens", {
        params: { query: { username: username.trim(), provider: provider || undefined } },
      }),
    async () => {
      onClose();
      toast(t("management.tokensEnded", { user: username.trim() }));
      await refresh(queries, "/api/identity/tokens");
    },
  );
  return (
    <FormDialog
      title={t("management.revokeTokensOfAUser")}
      about={t("management.allPersonalTokensOfThe")}
      save={t("management.revokeTokens")}
      form={form}
      disabled={!username.trim()}
      onClose={onClose}
      onSave={() => form.submit(undefined)}
    >
      <TextField
        label={t("management.userName")}
        value={username}
        autoFocus
        error={form.errorOf("username")}
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
