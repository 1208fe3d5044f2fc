import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useState } from "react";
import { ask, read, type Schema, send } from "#web/api/client.ts";
import { EntityIcon, nameOf } from "#web/components/entity-link.tsx";
import { EntityPicker } from "#web/components/pickers.tsx";
import styles from "#web/features/entity/entity.module.css";
import { type Details, useChanged } from "#web/features/entity/use-entity.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { SelectField, TextField, useDebounced } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { words } from "#web/kit/numbers.ts";
import { Pending } from "#web/kit/states.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import { toast } from "#web/kit/toast.ts";
import { VirtualTable } from "#web/kit/virtual-table.tsx";
import { t } from "#web/messages/text.ts";

type Form = Schema<"DataEntityGroupFormData">;

type Member = Pick<
  Schema<"DataEntityRef">,
  "id" | "catrn" | "entity_classes" | "internal_name" | "external_name"
>;

interface GroupValue {
  name: string;
  namespace: string;
  type: Form["type"]["name"];
  members: Member[];
}

/** Makes a group by hand, with the entity in it; leads there. */
export function CreateGroup({ of, onClose }: { of: Details; onClose: () => void }) {
  const changed = useChanged(of.id);
  const navigate = useNavigate();
  const first: GroupValue = {
    name: "",
    namespace: of.data_source?.namespace?.name ?? "",
    type: "DOMAIN",
    members: [memberOf(of)],
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
        path: { data_entity_group_id: of.id },
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
        <Pending of={state} what={t("entity.members")} bones={6} />
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

interface GroupDialogProps {
  title: string;
  save: string;
  first: GroupValue;
  form: ReturnType<typeof useForm<Form, unknown>>;
  onClose: () => void;
  /** Nobody knows which namespace the group has now. */
  namespaceUnknown?: boolean;
}

function GroupDialog({ title, save, first, form, onClose, namespaceUnknown }: GroupDialogProps) {
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

const groupTypes = [
  ...["DOMAIN", "DAG", "DATABASE_SERVICE", "API_SERVICE", "KAFKA_SERVICE"] as const,
  ...["ML_EXPERIMENT", "ML_MODEL"] as const,
];

function GroupFields(
  { value, onValue, errorOf, namespaceUnknown }: {
    value: GroupValue;
    onValue: (value: GroupValue) => void;
    errorOf: (field: string) => string | undefined;
    namespaceUnknown?: boolean;
  },
) {
  const set = (change: Partial<GroupValue>) => onValue({ ...value, ...change });
  const query = useDebounced(value.namespace.trim());
  const { data } = useQuery(read("/api/namespaces", { query: { page: 1, size: 10, query } }));
  return (
    <div className={styles.form}>
      <TextField
        label={t("kit.name")}
        value={value.name}
        onChange={(event) => set({ name: event.target.value })}
        error={errorOf("name")}
        autoFocus
        required
      />
      <SelectField
        label={t("kit.type")}
        value={value.type}
        onChange={(event) => set({ type: event.target.value as GroupValue["type"] })}
        options={groupTypes.map((type) => [type, words(type)] as const)}
        error={errorOf("type")}
      />
      <SuggestField
        label={t("kit.namespace")}
        hint={namespaceUnknown
          ? t("entity.enterItAgainToKeep")
          : t("entity.optionalCreatedIfItDoes")}
        value={value.namespace}
        onValue={(namespace) => set({ namespace })}
        items={(data?.items ?? []).map(({ name }) => name)}
        error={errorOf("namespace_name")}
      />
      <EntityPicker
        label={t("entity.addAMember")}
        value={null}
        onValue={(one) => one && set({ members: withMember(value.members, one) })}
        error={errorOf("entities")}
      />
      <Members of={value.members} onChange={(members) => set({ members })} />
    </div>
  );
}

function Members({ of, onChange }: { of: Member[]; onChange: (members: Member[]) => void }) {
  if (of.length === 0) return <p className="soft">{t("entity.noMembersYet")}</p>;
  return (
    <div className={styles.tight}>
      <span className="soft">{t("entity.members3", { count: of.length })}</span>
      <VirtualTable
        label={t("components.members")}
        height={`${Math.min(6, of.length) * 36 + 36}px`}
        rows={of}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t("kit.name"),
            width: "minmax(0, 1fr)",
            cell: (one) => (
              <span className={styles.line}>
                <EntityIcon of={one.entity_classes} />
                <span className="truncate" title={one.catrn ?? undefined}>{nameOf(one)}</span>
              </span>
            ),
          },
          {
            name: t("entity.remove"),
            width: "6rem",
            cell: (one) => (
              <IconButton
                small
                label={t("kit.remove", { name: nameOf(one) })}
                onClick={() => onChange(of.filter(({ id }) => id !== one.id))}
              >
                <X />
              </IconButton>
            ),
          },
        ]}
      />
    </div>
  );
}

function withMember(members: Member[], one: Member): Member[] {
  return members.some(({ id }) => id === one.id) ? members : [one, ...members];
}

function memberOf({ id, catrn, entity_classes, internal_name, external_name }: Details): Member {
  return { id, catrn, entity_classes, internal_name, external_name };
}

/**
 * A group as it is now: what a form needs that replaces it whole. The namespace is undefined where it is not known: the
 * details do not tell it, and its activity is no longer kept.
 */
async function groupState(id: number, signal: AbortSignal) {
  const [members, namespace] = await Promise.all([
    allMembers(id, signal),
    lastNamespace(id, signal),
  ]);
  return { members, namespace };
}

async function allMembers(id: number, signal: AbortSignal): Promise<Member[]> {
  const all: Member[] = [];
  for (let page = 1;; page++) {
    const { data } = await ask("get", "/api/dataentities/{data_entity_id}/references/{list}", {
      path: { data_entity_id: id, list: "entities" },
      query: { page, size: 1_000 },
      signal,
    });
    all.push(...data.items);
    if (!data.page_info.hasNext) return all;
  }
}

/** The namespace that the latest change of the group left it in; empty for none. */
async function lastNamespace(id: number, signal: AbortSignal): Promise<string | undefined> {
  const day = 86_400_000;
  for (const event_type of ["CUSTOM_GROUP_UPDATED", "CUSTOM_GROUP_CREATED"] as const) {
    const { data } = await ask("get", "/api/dataentities/{data_entity_id}/activity", {
      path: { data_entity_id: id },
      query: {
        begin_date: new Date(0).toISOString(),
        end_date: new Date(Date.now() + day).toISOString(),
        size: 1,
        event_type,
      },
      signal,
    });
    const state = data[0]?.new_state.custom_group;
    if (state) return state.namespace_name ?? "";
  }
  return undefined;
}
