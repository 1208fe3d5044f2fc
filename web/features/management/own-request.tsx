import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { useForm } from "#web/kit/form.ts";
import { words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Note } from "#web/kit/states.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import { toast } from "#web/kit/toast.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

/** Which owner the caller is, or a way to ask for one. */
export function OwnRequest() {
  const info = useAppInfo().data;
  const identity = useIdentity().data;
  if (!info || !identity) return null;
  if (info.authType === "DISABLED") {
    return <Note>{t("management.signInIsOffSo")}</Note>;
  }
  const request = identity.association_request;
  return (
    <Card title={t("management.you")}>
      {identity.owner
        ? <p>{t("management.youAreLinkedTo", { owner: identity.owner.name })}</p>
        : request?.status === "PENDING"
        ? <p>{t("management.youWaitForTheAnswer", { owner: request.owner_name })}</p>
        : (
          <div className={styles.stack}>
            <p>
              {request
                ? t("management.notLinkedLastRequest", {
                  owner: request.owner_name,
                  status: words(request.status),
                })
                : t("management.notLinkedYet")}
            </p>
            <AskForOwner />
          </div>
        )}
    </Card>
  );
}

function AskForOwner() {
  const [name, setName] = useState("");
  const query = useDebounced(name.trim());
  const { data } = useQuery(
    read("/api/owners", { params: { query: { page: 1, size: 10, query } } }),
  );
  const queries = useQueryClient();
  const form = useForm(
    () => send("post", "/api/owner_association_request", { body: { name: name.trim() } }),
    async ({ status, owner_name }) => {
      const owner = { owner: owner_name };
      toast(
        status === "APPROVED"
          ? t("management.youAre", owner)
          : t("management.youRequestedToBe", owner),
      );
      await refresh(queries, "/api/identity", "/api/owner_association_request", "/api/owners");
    },
  );
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) form.submit(undefined);
      }}
    >
      <SuggestField
        label={t("management.iAm")}
        hint={t("management.yourNameOrYourTeams")}
        value={name}
        onValue={setName}
        items={(data?.items ?? []).map((owner) => owner.name)}
        error={form.errorOf("name") ?? form.rest()[0]}
      />
      <div>
        <Button type="submit" busy={form.busy} disabled={!name.trim()}>
          {t("management.requestThisOwner")}
        </Button>
      </div>
    </form>
  );
}
