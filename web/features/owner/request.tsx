import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { toast } from "#web/kit/toast.tsx";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import { t } from "#web/messages/text.ts";

/** Requests that one's account belongs to this owner; offered to those who sign in and belong to none. */
export function RequestOwnership({ of }: { of: Schema<"Owner"> }) {
  const info = useAppInfo().data;
  const identity = useIdentity().data;
  const queries = useQueryClient();
  const work = useMutation({
    mutationFn: () => send("post", "/api/owner_association_request", { body: { name: of.name } }),
    onSuccess: ({ status, owner_name }) =>
      toast(
        status === "APPROVED"
          ? t("owner.youAreLinkedTo", { ownerName: owner_name })
          : t("owner.youRequestedToBeLinked2", { ownerName: owner_name }),
      ),
    onError: (error) => complain(t("owner.theRequestWasRefused"), error),
    onSettled: () =>
      refresh(queries, "/api/identity", "/api/owner_association_request", "/api/owners"),
  });
  if (!info || info.authType === "DISABLED" || !identity || identity.owner) return null;
  const request = identity.association_request;
  if (request?.status === "PENDING") {
    return request.owner_name === of.name && (
      <span className="soft">{t("owner.youRequestedToBeLinked")}</span>
    );
  }
  return <Button busy={work.isPending} onClick={() => work.mutate()}>{t("owner.thisIsMe")}</Button>;
}
