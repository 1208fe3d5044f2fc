import { useQueryClient } from "@tanstack/react-query";
import { UserRoundX } from "lucide-react";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { usePages } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { SelectField } from "#web/kit/field.tsx";
import { Page } from "#web/kit/page.tsx";
import { Empty } from "#web/kit/states.tsx";
import { type Column, textColumn, timeColumn } from "#web/kit/table.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { toast } from "#web/kit/toast.ts";
import { useAppInfo, useCan } from "#web/components/permissions.ts";
import { ManagedList, NameDialog } from "#web/features/management/managed-list.tsx";
import { useSecret } from "#web/features/management/secret-once.tsx";
import { useUserFields } from "#web/features/management/owners.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

type Token = Schema<"PersonalToken">;
const touches = ["/api/identity/tokens"];
const scopes: Record<Token["scope"], PlainKey> = {
  READ: "management.readOnly",
  ALL: "management.allMyPermissions",
};

/** One's own personal tokens, for programs that act in one's name. */
export function Tokens() {
  const info = useAppInfo().data;
  if (info?.authType === "DISABLED") {
    return (
      <Page title={t("management.myTokens")}>
        <Empty title={t("management.signInIsOff")}>{t("management.theApiNeedsNoSign")}</Empty>
      </Page>
    );
  }
  return <OwnTokens />;
}

function OwnTokens() {
  const can = useCan();
  const [revoking, setRevoking] = useState(false);
  const [secret, show] = useSecret();
  const of = usePages("/api/identity/tokens");
  return (
    <>
      <ManagedList<Token>
        title={t("management.myTokens")}
        about={t("management.forProgramsThatActIn")}
        what="token"
        of={of}
        columns={columns()}
        controls={can("OWNER_RELATION_MANAGE") && (
          <Button onClick={() => setRevoking(true)}>
            <UserRoundX /> {t("management.revokeTokensOfAUser")}
          </Button>
        )}
        form={(close) => (
          <TokenDialog
            onClose={close}
            onMade={({ name, value }) => show(name, value, { kind: "person" })}
          />
        )}
        canCreate
        remove={{
          can: () => true,
          send: ({ id }) =>
            send("delete", "/api/identity/tokens/{token_id}", { path: { token_id: id } }),
          about: () => <p>{t("management.clientsThatUseItAre")}</p>,
          touches,
        }}
        empty={t("management.createATokenForA")}
      />
      {revoking && <RevokeAll onClose={() => setRevoking(false)} />}
      {secret}
    </>
  );
}

const columns = (): Column<Token>[] => [
  textColumn(t("kit.name"), ({ name }) => name),
  textColumn(t("management.columnToken"), ({ hint }) => hint, "mono"),
  { name: t("management.scope"), cell: ({ scope }) => t(scopes[scope]) },
  timeColumn(t("management.created"), ({ created_at }) => created_at),
  timeColumn(t("management.expires"), ({ expires_at }) => expires_at),
  timeColumn(t("management.lastUsed"), ({ last_used_at }) => last_used_at),
];

const lives = () =>
  [
    ["30", t("management.days", { count: 30 })],
    ["90", t("management.days", { count: 90 })],
    ["365", t("management.aYear")],
    ["", t("management.never")],
  ] as const;

/** The form of a personal token; `proposed`: a name for it. */
export function TokenDialog(
  { proposed, onMade, onClose }: {
    proposed?: string;
    onMade: (made: Token) => void;
    onClose: () => void;
  },
) {
  const [days, setDays] = useState("90");
  const [scope, setScope] = useState<Token["scope"]>("READ");
  return (
    <NameDialog
      what="token"
      isNew
      initial={proposed}
      touches={touches}
      onDone={onMade}
      onClose={onClose}
      send={(name) =>
        send("post", "/api/identity/tokens", { body: { name, scope, expires_at: inDays(days) } })}
    >
      {({ field }) => (
        <>
          <SelectField
            label={t("management.scope")}
            options={Object.entries(scopes).map(([one, text]) => [one, t(text)] as const)}
            {...field("scope", scope, (one) => setScope(one as Token["scope"]))}
          />
          <SelectField
            label={t("management.expiresAfter")}
            options={lives()}
            {...field("expires_at", days, setDays)}
          />
        </>
      )}
    </NameDialog>
  );
}

function inDays(days: string): string | null {
  return days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null;
}

/** Ends all personal tokens of a user, such as of somebody who has left. */
function RevokeAll({ onClose }: { onClose: () => void }) {
  const { username, provider, fields } = useUserFields();
  const queries = useQueryClient();
  const form = useForm(
    () =>
      send("delete", "/api/identity/tokens", {
        query: { username, provider: provider || undefined },
      }),
    async () => {
      onClose();
      toast(t("management.tokensEnded", { user: username }));
      await refresh(queries, "/api/identity/tokens");
    },
  );
  return (
    <FormDialog
      title={t("management.revokeTokensOfAUser")}
      about={t("management.allPersonalTokensOfThe")}
      save={t("management.revokeTokens")}
      form={form}
      disabled={!username}
      onClose={onClose}
      onSave={() => form.submit(undefined)}
    >
      {fields(form, "username")}
    </FormDialog>
  );
}
