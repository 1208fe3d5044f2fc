import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SearchField } from "#web/kit/field.tsx";
import { inSentence } from "#web/kit/numbers.ts";
import { Popover } from "#web/kit/popover.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { type FacetKind, useFacetNames, useFacetValues } from "#web/components/facets.ts";
import styles from "#web/components/facet-filter.module.css";
import { t } from "#web/messages/text.ts";

/** A filter by values of a facet: a button with the selected values, which opens a searchable list. */
export function FacetFilter(
  { kind, label, ids, onIds, single }: {
    kind: FacetKind;
    label: string;
    ids: number[];
    onIds: (ids: number[]) => void;
    /** One value at most. */
    single?: boolean;
  },
) {
  const [open, setOpen] = useState(false);
  const nameOf = useFacetNames(kind, ids);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button className={styles.trigger} aria-pressed={ids.length > 0}>
          <span className="truncate">{chosenText(label, ids, nameOf)}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <Values
        kind={kind}
        label={label}
        ids={ids}
        nameOf={nameOf}
        onIds={(now) => {
          onIds(single ? now.slice(-1) : now);
          if (single) setOpen(false);
        }}
      />
    </Popover>
  );
}

function chosenText(label: string, ids: number[], nameOf: (id: number) => string): string {
  const [first, ...others] = ids;
  if (first === undefined) return label;
  const chosen = { label, name: nameOf(first) };
  return others.length === 0
    ? t("components.facetChosen", chosen)
    : t("components.facetChosenMore", { ...chosen, more: others.length });
}

function Values(
  { kind, label, ids, nameOf, onIds }: {
    kind: FacetKind;
    label: string;
    ids: number[];
    nameOf: (id: number) => string;
    onIds: (ids: number[]) => void;
  },
) {
  const [text, setText] = useState("");
  const found = useFacetValues(kind, useDebounced(text.trim()));
  const others = found.filter(({ id }) => !ids.includes(id));
  const chosen = ids.map((id) => ({ id, name: nameOf(id) }));
  return (
    <div className={styles.values}>
      <SearchField
        label={t("components.find", { what: inSentence(label) })}
        value={text}
        onValue={setText}
        autoFocus
      />
      <ul className={styles.list} aria-label={label}>
        {[...chosen, ...others].map(({ id, name }) => (
          <li key={id}>
            <Checkbox
              label={<span className="truncate" title={name}>{name}</span>}
              checked={ids.includes(id)}
              onChange={({ target }) =>
                onIds(target.checked ? [...ids, id] : ids.filter((one) => one !== id))}
            />
          </li>
        ))}
      </ul>
      {chosen.length + others.length === 0 && <p className="soft">{t("kit.noResults")}</p>}
      {ids.length > 0 && <Button small onClick={() => onIds([])}>{t("components.clear")}</Button>}
    </div>
  );
}
