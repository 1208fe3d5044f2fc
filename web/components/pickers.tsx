import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { EntityIcon, nameOf } from "#web/components/entity-link.tsx";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { type FieldProps, useDebounced, useTyped } from "#web/kit/field.tsx";
import { SuggestField, type SuggestFieldProps } from "#web/kit/suggest.tsx";
import { t } from "#web/messages/text.ts";

interface Picker<T> extends FieldProps {
  value: T | null;
  onValue: (value: T | null) => void;
  autoFocus?: boolean;
}

/** Lists of things with a name. */
type NamedList =
  | "/api/namespaces"
  | "/api/owners"
  | "/api/policies"
  | "/api/roles"
  | "/api/tags"
  | "/api/titles";

export interface NamedItem {
  id: number;
  name: string;
}

/** What a list has whose name goes with `query`; undefined until it is read. */
function useNamed(list: NamedList, query: string, size: number): NamedItem[] | undefined {
  return useQuery(read(list, { query: { page: 1, size, query } })).data?.items;
}

/** Names in a list that go with a text that is being typed; `isNew`: no name equals the text. */
export function useNames(list: NamedList, text: string, size = 10) {
  const query = useDebounced(text.trim());
  const found = useNamed(list, query, size);
  const names = (found ?? []).map(({ name }) => name);
  return { names, isNew: query !== "" && found !== undefined && !names.includes(query) };
}

/** An entity, found by words of its name. */
export function EntityPicker(
  { classId, ...rest }: Picker<Schema<"DataEntityRef">> & { classId?: number },
) {
  const [query, onText] = useTyped();
  const { data = [] } = useQuery({
    ...read("/api/search/suggestions", { query: { query, entity_class_id: classId } }),
    enabled: query !== "",
  });
  return (
    <Combobox
      {...rest}
      items={data}
      textOf={nameOf}
      keyOf={({ id }) => id}
      onText={onText}
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
  const [query, onText] = useTyped();
  const { data } = useQuery(read("/api/terms", { query: { page: 1, size: 20, query } }));
  return (
    <Combobox
      {...props}
      items={data?.items ?? []}
      textOf={({ name, namespace }) => `${namespace.name}:${name}`}
      keyOf={({ id }) => id}
      onText={onText}
      empty={t("components.noSuchTerm")}
    />
  );
}

/** A person or team. */
export function OwnerPicker(props: Picker<Schema<"Owner">>) {
  const [query, onText] = useTyped();
  const { data } = useQuery(read("/api/owners", { query: { page: 1, size: 20, query } }));
  return (
    <Combobox
      {...props}
      items={data?.items ?? []}
      textOf={({ name }) => name}
      keyOf={({ id }) => id}
      onText={onText}
      empty={t("components.noOwnerHasThisName2")}
    />
  );
}

/** Some of a list, found by typing: what is chosen as chips, and a field that adds one more. */
export function PickMany(
  { list, value, onValue, ...labelled }: FieldProps & {
    list: NamedList;
    value: NamedItem[];
    onValue: (value: NamedItem[]) => void;
  },
) {
  const [query, onText] = useTyped();
  const items = useNamed(list, query, 20) ?? [];
  // A new field for each choice: it is empty again.
  const [round, setRound] = useState(0);
  const left = items.filter(({ id }) => !value.some((one) => one.id === id));
  const add = (one: NamedItem | null) => {
    if (!one) return;
    onValue([...value, one]);
    onText("");
    setRound(round + 1);
  };
  return (
    <>
      <Combobox<NamedItem>
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
  const { names } = useNames("/api/namespaces", props.value, 8);
  return <SuggestField label={t("kit.namespace")} {...props} items={names} />;
}

/** The name of a tag, new ones as well. */
export function TagField(props: NameFieldProps) {
  const { names } = useNames("/api/tags", props.value, 8);
  return <SuggestField label={t("components.tag")} {...props} items={names} />;
}
