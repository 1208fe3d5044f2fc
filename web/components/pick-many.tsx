import { useState } from "react";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import type { FieldProps } from "#web/kit/field.tsx";
import { t } from "#web/messages/text.ts";

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
