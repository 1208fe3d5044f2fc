import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { refresh, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { toast } from "#web/kit/toast.tsx";
import { type Permission, useCan } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import { type Reversal, reversalOf } from "#web/features/activity/reversal.ts";
import { isStillSo, revert } from "#web/features/activity/reverting.ts";
import { t } from "#web/messages/text.ts";

/** Takes back a change of the description or of an owner, for those who may change it; not what was changed again since. */
export function Revert({ of, entity }: { of: Schema<"Activity">; entity: number }) {
  const reversal = reversalOf(of);
  const can = useCan("DATA_ENTITY", entity);
  const queries = useQueryClient();
  const work = useMutation({
    mutationFn: async (wanted: Reversal) => {
      if (!await isStillSo(entity, wanted)) return false;
      await revert(entity, wanted);
      return true;
    },
    onSuccess: (done) => {
      if (done) {
        toast(
          reversal?.kind === "owner"
            ? t("activity.theOwnerIsAsBefore")
            : t("activity.theDescriptionIsAsBefore"),
        );
        return;
      }
      toast(t("activity.itWasChangedAgainSince"), {
        tone: "bad",
        about: t("activity.nothingIsReverted"),
      });
    },
    onError: (error) => complain(t("activity.itIsNotReverted"), error),
    onSettled: () => refresh(queries, "/api/dataentities", "/api/activity"),
  });
  if (of.system_event || !reversal || !can(permissionFor(reversal))) return null;
  return (
    <Button small variant="quiet" busy={work.isPending} onClick={() => work.mutate(reversal)}>
      <Undo2 aria-hidden />
      {t("activity.revert")}
    </Button>
  );
}

function permissionFor(reversal: Reversal): Permission {
  if (reversal.kind === "description") return "DATA_ENTITY_DESCRIPTION_UPDATE";
  if (!reversal.to) return "DATA_ENTITY_OWNERSHIP_DELETE";
  return reversal.from ? "DATA_ENTITY_OWNERSHIP_UPDATE" : "DATA_ENTITY_OWNERSHIP_CREATE";
}
