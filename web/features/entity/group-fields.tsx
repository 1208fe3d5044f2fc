import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { SelectField, TextField } from "#web/kit/field.tsx";
import { words } from "#web/kit/numbers.ts";
import { SuggestField } from "#web/kit/suggest.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { VirtualTable } from "#web/kit/virtual-table.tsx";
import { EntityIcon, nameOf } from "#web/components/entity-link.tsx";
import { EntityPicker } from "#web/components/pickers.tsx";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

export type Ref = Pick<
  Schema<"DataEntityRef">,
  "id" | "catrn" | "entity_classes" | "internal_name" | "external_name"
>;

/** A group as it is typed. */
export interface GroupValue {
  name: string;
  namespace: string;
  type: Schema<"DataEntityGroupFormData">["type"]["name"];
  members: Ref[];
}

const types: GroupValue["type"][] = [
  ...["DOMAIN", "DAG", "DATABASE_SERVICE", "API_SERVICE", "KAFKA_SERVICE"] as const,
  ...["ML_EXPERIMENT", "ML_MODEL"] as const,
];

export function GroupFields(
  { value, onValue, errorOf, namespaceUnknown }: {
    value: GroupValue;
    onValue: (value: GroupValue) => void;
    errorOf: (field: string) => string | undefined;
    namespaceUnknown?: boolean;
  },
) {
  const set = (change: Partial<GroupValue>) => onValue({ ...value, ...change });
  const query = useDebounced(value.namespace.trim());
  const { data } = useQuery(
    read("/api/namespaces", { params: { query: { page: 1, size: 10, query } } }),
  );
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
        options={types.map((type) => [type, words(type)] as const)}
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

function Members({ of, onChange }: { of: Ref[]; onChange: (members: Ref[]) => void }) {
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

function withMember(members: Ref[], one: Ref): Ref[] {
  return members.some(({ id }) => id === one.id) ? members : [one, ...members];
}
