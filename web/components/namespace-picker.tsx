import { useState } from "react";
import { Combobox } from "#web/kit/combobox.tsx";
import type { FieldProps } from "#web/kit/field.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { type FacetValue, useFacetValues } from "#web/components/facets.ts";
import { t } from "#web/messages/text.ts";

/** A namespace that is there already. */
export function NamespacePicker(
  props: FieldProps & { value: FacetValue | null; onValue: (value: FacetValue | null) => void },
) {
  const [text, setText] = useState("");
  const items = useFacetValues("namespace", useDebounced(text.trim()));
  return (
    <Combobox
      {...props}
      items={items}
      textOf={({ name }) => name}
      keyOf={({ id }) => id}
      onText={setText}
      empty={t("components.noSuchNamespace")}
    />
  );
}
