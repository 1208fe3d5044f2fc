import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { useForm } from "#web/kit/form.ts";
import { Bones, Failure } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { GroupFields, type GroupValue, type Ref } from "#web/features/entity/group-fields.tsx";
import type { Details } from "#web/features/entity/details.ts";
import { groupState } from "#web/features/entity/group-state.ts";
import { useChanged } from "#web/features/entity/use-entity.ts";
import { t } from "#web/messages/text.ts";

type Form = Schema<"DataEntityGroupFormData">;

/** Makes a group by hand, with the entity in it; leads there. */
export function CreateGroup({ of, onClose }: { of: Details; onClose: () => void }) {
  const changed = useChanged(of.id);
  const navigate = useNavigate();
  const first: GroupValue = {
    name: "",
    namespace: of.data_source?.namespace?.name ?? "",
    type: "DOMAIN",
    members: [refOf(of)],
  };
  const form = useForm(
    (body: Form) => send("post", "/api/dataentitygroups", { body }),
    (made) => {
      onClose();
      changed();
      toast(t("entity.groupCreated", { made: nameOf(made) }));
      void navigate({ to: "/dataentities/$id/overview", params: { id: String(made.id) } } as never);
    },
  );
  return (
    <GroupDialog
      title={t("entity.newGroup")}
      save={t("kit.create")}
      first={first}
      form={form}
      onClose={onClose}
    />
  );
}

/** Changes a group that was made by hand; its members are read whole before. */
export function EditGroup({ of, onClose }: { of: Details; onClose: () => void }) {
  const changed = useChanged(of.id);
  const state = useQuery({
    queryKey: ["group", of.id],
    queryFn: ({ signal }) => groupState(of.id, signal),
    gcTime: 0,
  });
  const form = useForm(
    (body: Form) =>
      send("put", "/api/dataentitygroups/{data_entity_group_id}", {
        params: { path: { data_entity_group_id: of.id } },
        body,
      }),
    () => {
      onClose();
      changed();
      toast(t("entity.groupSaved"));
    },
  );
  const title = t("entity.editNamed", { name: nameOf(of) });
  if (!state.data) {
    return (
      <Dialog open onClose={onClose} title={title}>
        {state.error
          ? (
            <Failure
              error={state.error}
              onRetry={() => void state.refetch()}
              what={t("entity.members")}
            />
          )
          : <Bones lines={6} />}
      </Dialog>
    );
  }
  const first: GroupValue = {
    name: nameOf(of),
    namespace: state.data.namespace ?? "",
    type: of.type.name as GroupValue["type"],
    members: state.data.members,
  };
  return (
    <GroupDialog
      title={title}
      save={t("kit.save")}
      first={first}
      form={form}
      onClose={onClose}
      namespaceUnknown={state.data.namespace === undefined}
    />
  );
}

interface DialogOf {
  title: string;
  save: string;
  first: GroupValue;
  form: ReturnType<typeof useForm<Form, unknown>>;
  onClose: () => void;
  /** The current members of the group are unknown. */
  namespaceUnknown?: boolean;
}

function GroupDialog({ title, save, first, form, onClose, namespaceUnknown }: DialogOf) {
  const [value, setValue] = useState(first);
  const submit = () =>
    form.submit({
      name: value.name.trim(),
      namespace_name: value.namespace.trim() || null,
      type: { name: value.type },
      entities: value.members.map(({ id }) => ({ id })),
    });
  return (
    <FormDialog title={title} save={save} form={form} onSave={submit} onClose={onClose}>
      <GroupFields
        value={value}
        onValue={setValue}
        errorOf={form.errorOf}
        namespaceUnknown={namespaceUnknown}
      />
    </FormDialog>
  );
}

function refOf({ id, catrn, entity_classes, internal_name, external_name }: Details): Ref {
  return { id, catrn, entity_classes, internal_name, external_name };
}
