import { ChevronDown, X } from "lucide-react";
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SearchField, useDebounced } from "#web/kit/field.tsx";
import { inSentence } from "#web/kit/numbers.ts";
import { Popover } from "#web/kit/popover.tsx";
import { useParamsOfView, without } from "#web/kit/search-params.ts";
import styles from "#web/components/facet-filter.module.css";
import { t } from "#web/messages/text.ts";
import { read } from "#web/api/client.ts";

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

/** Empties filters that stand in the address under these names; nothing while all are empty. */
export function ClearFilters({ names, text }: { names: readonly string[]; text: string }) {
  const [params, change] = useParamsOfView();
  if (!names.some((name) => params[name])) return null;
  return (
    <Button variant="quiet" onClick={() => change(without(names))}>
      <X aria-hidden />
      {text}
    </Button>
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

/** What lists can be narrowed by, besides their own. */
export type FacetKind = "owner" | "namespace" | "source" | "tag" | "title";

export interface FacetValue {
  id: number;
  name: string;
}

const lists = {
  owner: "/api/owners",
  namespace: "/api/namespaces",
  source: "/api/datasources",
  tag: "/api/tags",
  title: "/api/titles",
} as const;

/** Values that are read to name those that an address has by id. */
const named = 1_000;

/** Values of a facet whose name goes with `text`. */
export function useFacetValues(kind: FacetKind, text: string): FacetValue[] {
  const query = { page: 1, size: 30, query: text || undefined };
  const { data } = useQuery(read(lists[kind], { query }));
  return data?.items ?? [];
}

/** The name of a value, its number until that is known. */
export function useFacetNames(kind: FacetKind, ids: number[]): (id: number) => string {
  const { data } = useQuery({
    ...read(lists[kind], { query: { page: 1, size: named } }),
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
  });
  const names = new Map(data?.items.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `#${id}`;
}
