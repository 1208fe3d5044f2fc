import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Checkbox, SelectField, TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { noun, words } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.ts";
import { nameOf } from "#web/components/entity-link.tsx";
import { toLocalInput } from "#web/components/time-fields.tsx";
import { undoing } from "#web/components/undo.ts";
import { classesOf } from "#web/components/entity-tabs.ts";
import { type Details, useChanged } from "#web/features/entity/use-entity.ts";
import { t } from "#web/messages/text.ts";

export type StatusName = Schema<"DataEntityStatusEnum">;

const names: StatusName[] = ["UNASSIGNED", "DRAFT", "STABLE", "DEPRECATED", "DELETED"];
const meaning = (): Record<StatusName, string> => ({
  UNASSIGNED: t("entity.noStatusSet"),
  DRAFT: t("entity.notReadyForUseDeleted"),
  STABLE: t("entity.readyForUse"),
  DEPRECATED: t("entity.noLongerToBeUsed"),
  DELETED: t("entity.hiddenFromSearchListsAnd"),
});

/** Changes the status of an entity, of a group with its members if that is wished. */
export function StatusDialog(
  { of, first, onClose }: { of: Details; first: StatusName; onClose: () => void },
) {
  const [status, setStatus] = useState(first);
  const [until, setUntil] = useState(() =>
    toLocalInput(of.status.status_switch_time ? new Date(of.status.status_switch_time) : inDays(30))
  );
  const [propagate, setPropagate] = useState(false);
  const form = useStatus(of, propagate, onClose);
  const submit = () =>
    form.submit({
      status,
      status_switch_time: endsByItself(status) && until ? new Date(until).toISOString() : null,
    });
  return (
    <FormDialog
      title={status === "DELETED"
        ? t("entity.delete4", { of: nameOf(of) })
        : t("entity.statusOf", { of: nameOf(of) })}
      save={status === "DELETED" ? t("kit.delete") : t("kit.save")}
      danger={status === "DELETED"}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      <SelectField
        label={t("kit.status")}
        hint={meaning()[status]}
        value={status}
        onChange={(event) => setStatus(event.target.value as StatusName)}
        options={names.map((name) => [name, words(name)] as const)}
      />
      {endsByItself(status) && (
        <TextField
          label={t("entity.until")}
          type="datetime-local"
          value={until}
          min={toLocalInput(new Date())}
          onChange={(event) => setUntil(event.target.value)}
          error={form.errorOf("status_switch_time")}
        />
      )}
      {classesOf(of).has("DATA_ENTITY_GROUP") && (
        <Checkbox
          checked={propagate}
          onChange={(event) => setPropagate(event.target.checked)}
          label={t("entity.alsoForItsMembersAnd", { itemsCount: of.items_count ?? 0 })}
        />
      )}
    </FormDialog>
  );
}

function useStatus(of: Details, propagate: boolean, onClose: () => void) {
  const changed = useChanged(of.id);
  const queries = useQueryClient();
  const put = async (status: Details["status"]) => {
    const answer = await send("put", "/api/dataentities/{data_entity_id}/statuses", {
      path: { data_entity_id: of.id },
      body: { status, propagate },
    });
    changed(() => ({ status: answer }));
    if (propagate) void refresh(queries, "/api/dataentities", "/api/directory");
    return answer;
  };
  return useForm(put, ({ status }) => {
    onClose();
    const before = of.status;
    // What members had before is not known here, so that it cannot be given back.
    toast(
      status === "DELETED"
        ? t("entity.itIsDeleted")
        : t("entity.theStatusIsNow", { status: noun(status) }),
      propagate ? {} : { undo: undoing(() => put(before)) },
    );
  });
}

/** Whether a status ends by itself, at a time that is given with it. */
function endsByItself(status: string): boolean {
  return status === "DRAFT" || status === "DEPRECATED";
}

/** Noon of the day so many days ahead. */
function inDays(days: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
}
