import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { EntityIcon, nameOf } from "#web/components/entity-link.tsx";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { type FieldProps, useDebounced } from "#web/kit/field.tsx";
import { SuggestField, type SuggestFieldProps } from "#web/kit/suggest.tsx";
import { t } from "#web/messages/text.ts";

interface Picker<T> extends FieldProps {
  value: T | null;
  onValue: (value: T | null) => void;
  autoFocus?: boolean;
}

const pageOf8 = { page: 1, size: 8 };
const pageOf20 = { page: 1, size: 20 };

/** An entity, found by words of its name. */
export function EntityPicker(
  { classId, ...rest }: Picker<Schema<"DataEntityRef">> & { classId?: number },
) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data = [] } = useQuery({
    ...read("/api/search/suggestions", { params: { query: { query, entity_class_id: classId } } }),
    enabled: query !== "",
  });
  return (
    <Combobox
      {...rest}
      items={data}
      textOf={nameOf}
      keyOf={({ id }) => id}
      onText={setText}
      empty={query ? t("kit.noResults") : t("components.typeAPartOfIts")}
      show={(one) => (
        <>
          <EntityIcon of={one.entity_classes} />
          <span className="truncate">{nameOf(one)}</span>
        </>
      )}
    />
  );
}

/** A term of the glossary. */
export function TermPicker(props: Picker<Schema<"TermRef">>) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data } = useQuery(read("/api/terms", { params: { query: { ...pageOf20, query } } }));
  return (
    <Combobox
      {...props}
      items={data?.items ?? []}
      textOf={({ name, namespace }) => `${namespace.name}:${name}`}
      keyOf={({ id }) => id}
      onText={setText}
      empty={t("components.noSuchTerm")}
    />
  );
}

/** A person or team. */
export function OwnerPicker(props: Picker<Schema<"Owner">>) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data } = useQuery(read("/api/owners", { params: { query: { ...pageOf20, query } } }));
  return (
    <Combobox
      {...props}
      items={data?.items ?? []}
      textOf={({ name }) => name}
      keyOf={({ id }) => id}
      onText={setText}
      empty={t("components.noOwnerHasThisName2")}
    />
  );
}

interface NamedOption {
  id: number;
  name: string;
}

/** Some of many, found by typing: what is chosen as chips, and a field that adds one more. */
export function PickMany(
  { items, value, onValue, onText, ...labelled }: FieldProps & {
    /** What goes with the text. */
    items: NamedOption[];
    value: NamedOption[];
    onValue: (value: NamedOption[]) => void;
    onText: (text: string) => void;
  },
) {
  // A new field for each choice: it is empty again.
  const [round, setRound] = useState(0);
  const left = items.filter(({ id }) => !value.some((one) => one.id === id));
  const add = (one: NamedOption | null) => {
    if (!one) return;
    onValue([...value, one]);
    onText("");
    setRound(round + 1);
  };
  return (
    <>
      <Combobox<NamedOption>
        key={round}
        {...labelled}
        items={left}
        textOf={({ name }) => name}
        keyOf={({ id }) => id}
        value={null}
        onValue={add}
        onText={onText}
        placeholder={t("components.typeToAdd")}
        autoFocus={round > 0}
      />
      {value.length > 0 && (
        <ChipRow>
          {value.map((one) => (
            <Chip
              key={one.id}
              name={one.name}
              onRemove={() => onValue(value.filter(({ id }) => id !== one.id))}
            />
          ))}
        </ChipRow>
      )}
    </>
  );
}

type NameFieldProps =
  & Partial<FieldProps>
  & Pick<SuggestFieldProps, "value" | "onValue" | "onEnter" | "onPick" | "autoFocus">;

/** The name of a namespace, new ones as well. */
export function NamespaceField(props: NameFieldProps) {
  const query = useDebounced(props.value.trim());
  const { data } = useQuery(
    read("/api/namespaces", { params: { query: { ...pageOf8, query } } }),
  );
  return <NameField label={t("kit.namespace")} {...props} items={data?.items} />;
}

/** The name of a tag, new ones as well. */
export function TagField(props: NameFieldProps) {
  const query = useDebounced(props.value.trim());
  const { data } = useQuery(read("/api/tags", { params: { query: { ...pageOf8, query } } }));
  return <NameField label={t("components.tag")} {...props} items={data?.items} />;
}

function NameField(
  { items, ...props }: NameFieldProps & { label: string; items: { name: string }[] | undefined },
) {
  return <SuggestField {...props} items={(items ?? []).map(({ name }) => name)} />;
}
