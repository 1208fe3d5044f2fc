import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "#web/api/client.ts";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { shortCount } from "#web/kit/numbers.ts";
import { SuggestField } from "#web/kit/suggest.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { t } from "#web/messages/text.ts";

/** A set of tags by their names while it is edited; names that no tag has are made when it is saved. */
export function TagSet(
  { value, onValue, error }: {
    value: string[];
    onValue: (value: string[]) => void;
    error?: string;
  },
) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data } = useQuery(read("/api/tags", { params: { query: { page: 1, size: 12, query } } }));
  const known = (data?.items ?? []).filter(({ name }) => !value.includes(name));
  const used = new Map(known.map(({ name, usedCount }) => [name, usedCount]));
  const add = (name: string) => {
    const clean = name.trim();
    if (clean && !value.includes(clean)) onValue([...value, clean]);
    setText("");
  };
  return (
    <>
      {value.length > 0 && (
        <ChipRow>
          {value.map((name) => (
            <Chip
              key={name}
              name={name}
              onRemove={() => onValue(value.filter((one) => one !== name))}
            />
          ))}
        </ChipRow>
      )}
      <SuggestField
        label={t("components.addATag")}
        hint={t("components.pressEnterToAddNew")}
        value={text}
        onValue={setText}
        items={known.map(({ name }) => name)}
        about={(name) => <span className="soft">{shortCount(used.get(name) ?? 0)}</span>}
        onPick={add}
        onEnter={() => add(text)}
        error={error}
        autoFocus
      />
    </>
  );
}
