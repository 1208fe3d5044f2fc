import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Combobox } from "#web/kit/combobox.tsx";
import type { FieldProps } from "#web/kit/field.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { EntityIcon, nameOf } from "#web/components/entity-link.tsx";
import { t } from "#web/messages/text.ts";

interface Picker<T> extends FieldProps {
  value: T | null;
  onValue: (value: T | null) => void;
  autoFocus?: boolean;
}

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
