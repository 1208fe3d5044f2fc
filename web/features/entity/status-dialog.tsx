import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Checkbox, SelectField, TextField } from "#web/kit/field.tsx";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { useForm } from "#web/kit/form.ts";
import { plural, words } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { undoing } from "#web/components/undo.ts";
import { asLocalInput, endsByItself, inDays } from "#web/features/entity/status.ts";
import { classesOf, type Details } from "#web/features/entity/details.ts";
import { useChanged } from "#web/features/entity/use-entity.ts";
import { t } from "#web/messages/text.ts";

export type StatusName = Schema<"DataEntityStatusEnum">;

const names: StatusName[] = ["UNASSIGNED", "DRAFT", "STABLE", "DEPRECATED", "DELETED"];
const meaning: Record<StatusName, string> = {
  UNASSIGNED: "No status set.",
  DRAFT: "Not ready for use. Deleted automatically at the time below unless changed before.",
  STABLE: "Ready for use.",
  DEPRECATED:
    "No longer to be used. Deleted automatically at the time below unless changed before.",
  DELETED:
    "Hidden from search, lists and lineage. Its content is kept until it is purged; any other status restores it.",
};

/** Changes the status of an entity, of a group with its members if that is wished. */
export function StatusDialog(
  { of, first, onClose }: { of: Details; first: StatusName; onClose: () => void },
) {
  const [status, setStatus] = useState(first);
  const [until, setUntil] = useState(() =>
    asLocalInput(of.status.status_switch_time ? new Date(of.status.status_switch_time) : inDays(30))
  );
  const [propagate, setPropagate] = useState(false);
  const form = useStatus(of, propagate, onClose);
  const submit = () =>
    form.submit({
      status,
      status_switch_time: endsByItself(status) && until ? new Date(until).toISOString() : null,
    });
  const timeError = form.errorOf("status_switch_time");
  return (
    <FormDialog
      title={status === "DELETED" ? `Delete ${nameOf(of)}?` : `Status of ${nameOf(of)}`}
      save={status === "DELETED" ? t("kit.delete") : t("kit.save")}
      danger={status === "DELETED"}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      <SelectField
        label={t("kit.status")}
        hint={meaning[status]}
        value={status}
        onChange={(event) => setStatus(event.target.value as StatusName)}
        options={names.map((name) => [name, words(name)] as const)}
      />
      {endsByItself(status) && (
        <TextField
          label={t("entity.until")}
          type="datetime-local"
          value={until}
          min={asLocalInput(new Date())}
          onChange={(event) => setUntil(event.target.value)}
          error={timeError}
        />
      )}
      {classesOf(of).has("DATA_ENTITY_GROUP") && (
        <Checkbox
          checked={propagate}
          onChange={(event) => setPropagate(event.target.checked)}
          label={`Also for its ${plural(of.items_count ?? 0, "member")}, and theirs`}
        />
      )}
    </FormDialog>
  );
}

type Status = Details["status"];

function useStatus(of: Details, propagate: boolean, onClose: () => void) {
  const changed = useChanged(of.id);
  const queries = useQueryClient();
  const put = async (status: Status) => {
    const answer = await send("put", "/api/dataentities/{data_entity_id}/statuses", {
      params: { path: { data_entity_id: of.id } },
      body: { status, propagate },
    });
    changed({ status: answer });
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
        : `The status is ${words(status).toLowerCase()} now`,
      propagate ? {} : { undo: undoing(() => put(before)) },
    );
  });
}
