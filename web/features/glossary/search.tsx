import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { read, type Schema, send } from "#web/api/client.ts";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SearchField, useDebounced } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import { Popover } from "#web/kit/popover.tsx";
import { idsOf, type Params } from "#web/kit/search-params.ts";
import styles from "#web/features/glossary/glossary.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

interface FacetProps {
  facet: Facet;
  /** The search whose values are offered. */
  search: string | undefined;
  /** Ids that the address holds. */
  ids: number[];
  /** Those that the search has by now, with their names. */
  named: Schema<"SearchFilter">[];
  onChosen: (ids: number[]) => void;
}

const facetTexts: Record<Facet, PlainKey> = {
  namespaces: "glossary.namespaces",
  owners: "kit.owners",
  tags: "kit.tags",
};

function chosenText(facet: Facet, ids: number[], named: FacetProps["named"]): string {
  const text = t(facetTexts[facet]);
  if (ids.length === 0) return text;
  const first = named.find(({ id }) => id === ids[0])?.name ?? "…";
  return ids.length === 1
    ? t("glossary.facetIs", { facet: text, first })
    : t("glossary.facetIsOneOf", { facet: text, first, more: count(ids.length - 1) });
}

/** A filter of the glossary: a button with the selected values, which opens a list of values with counts. */
export function FacetButton(props: FacetProps) {
  const { facet, ids, named } = props;
  return (
    <Popover
      label={t(facetTexts[facet])}
      trigger={
        <Button className={styles.facet} aria-pressed={ids.length > 0}>
          <span className="truncate">{chosenText(facet, ids, named)}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <Values {...props} />
    </Popover>
  );
}

function Values({ facet, search, ids, named, onChosen }: FacetProps) {
  const [text, setText] = useState("");
  const { data = [], isFetching } = useFacetValues(search, facet, text);
  const [seen, setSeen] = useState<Schema<"CountableSearchFilter">[]>([]);
  // What is chosen leaves the values that are offered: it is remembered until the search tells its name.
  const chosen = ids.map((id) =>
    [...named, ...seen].find((one) => one.id === id) ?? { id, name: `#${id}` }
  );
  const others = data.filter(({ id }) => !ids.includes(id));
  const row = ({ id, name, count: terms }: Schema<"CountableSearchFilter">) => (
    <li key={id}>
      <Checkbox
        label={
          <span className="truncate" title={name}>
            {name} {typeof terms === "number" && <span className="soft">{count(terms)}</span>}
          </span>
        }
        checked={ids.includes(id)}
        onChange={({ target }) => {
          setSeen(data);
          onChosen(target.checked ? [...ids, id] : ids.filter((one) => one !== id));
        }}
      />
    </li>
  );
  return (
    <div className={styles.values}>
      <SearchField
        label={t("glossary.findInFacet", { facet })}
        value={text}
        onValue={setText}
        autoFocus
      />
      <ul aria-label={t(facetTexts[facet])}>{[...chosen, ...others].map(row)}</ul>
      {!isFetching && chosen.length + others.length === 0 && (
        <p className="soft">
          {text ? t("kit.noResults") : t("glossary.noneHasFacet", { facet })}
        </p>
      )}
      {chosen.length > 0 && (
        <Button small onClick={() => onChosen([])}>{t("glossary.clear")}</Button>
      )}
    </div>
  );
}

/** What terms can be narrowed by: names of the service, and of the address. */
export const facets = ["namespaces", "owners", "tags"] as const;
type Facet = typeof facets[number];

/** A search over terms as the address holds it. */
interface TermSearch {
  query: string;
  filters: Record<Facet, number[]>;
}

function searchOf(params: Params): TermSearch {
  return {
    query: params.q?.trim() ?? "",
    filters: {
      namespaces: idsOf(params.namespaces),
      owners: idsOf(params.owners),
      tags: idsOf(params.tags),
    },
  };
}

/** Every search is one of its own and never changed, so that pages of two searches cannot be mixed. */
function start(search: TermSearch) {
  return queryOptions({
    queryKey: ["/api/terms/search", search] as const,
    queryFn: () => send("post", "/api/terms/search", { body: formOf(search) }),
    placeholderData: keepPreviousData,
  });
}

function formOf({ query, filters }: TermSearch): Schema<"TermSearchFormData"> {
  const chosen = (ids: number[]) =>
    ids.map((id) => ({ entity_id: id, entity_name: "", selected: true }));
  return {
    query,
    filters: {
      namespaces: chosen(filters.namespaces),
      owners: chosen(filters.owners),
      tags: chosen(filters.tags),
    },
  };
}

/** The terms that the address asks for; those of before stay while others are looked for. */
export function useTermSearch(params: Params) {
  const searchText = useDebounced(JSON.stringify(searchOf(params)), 150);
  const search = useQuery(start(JSON.parse(searchText) as TermSearch));
  const id = search.data?.search_id;
  const results = useInfiniteQuery({
    ...readPages("/api/terms/search/{search_id}/results", { path: { search_id: id ?? "" } }),
    enabled: id !== undefined,
  });
  return {
    id,
    state: search.data?.facet_state,
    rows: rowsOf<Schema<"Term">>(results.data),
    total: totalOf(results.data),
    listed: {
      ...results,
      error: search.error ?? results.error,
      refetch: () => void (search.error ? search.refetch() : results.refetch()),
    },
  };
}

/** What a search can still be narrowed by in a facet, with how many terms each leaves. */
function useFacetValues(search: string | undefined, facet: Facet, text: string) {
  const query = useDebounced(text.trim());
  return useQuery({
    ...read("/api/terms/search/{search_id}/facet/{facet_type}", {
      path: { search_id: search ?? "", facet_type: facet },
      query: { page: 1, size: 30, query },
    }),
    enabled: search !== undefined,
  });
}
