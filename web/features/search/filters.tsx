import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { codedFacets, searchFacets } from "#web/api/values.gen.ts";
import styles from "#web/features/search/search.module.css";
import { Checkbox, SearchField, useDebounced } from "#web/kit/field.tsx";
import { atLeast, words } from "#web/kit/numbers.ts";
import { idsOf, type Params, useParamsOfView, without } from "#web/kit/search-params.ts";
import { Bones } from "#web/kit/states.tsx";
import { t } from "#web/messages/text.ts";

/** A filter of a search, by the name of the API; also the name of the parameter in the address. */
type Facet = keyof Schema<"SearchFormData">["filters"];

type Session = Schema<"SearchFacetsData"> | undefined;

/** All filters. Those that are used, and the classes, are open; the others are read when somebody opens them. */
export function FacetPanel({ session }: { session: Session }) {
  return (
    <aside className={styles.facets} aria-label={t("search.filters")}>
      {searchFacets.map((facet) => (
        <FacetBlock key={facet} facet={facet} name={words(facet)} session={session} />
      ))}
    </aside>
  );
}

function FacetBlock({ facet, name, session }: { facet: Facet; name: string; session: Session }) {
  const [params] = useParamsOfView();
  const used = idsOf(params[facet]).length;
  const [open, setOpen] = useState(used > 0 || facet === "entity_classes");
  return (
    <div className={styles.facet}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight aria-hidden />
        <span>{name}</span>
        {used > 0 && <strong>{used}</strong>}
      </button>
      {open && session && <Choices facet={facet} name={name} id={session.search_id} />}
    </div>
  );
}

const coded: ReadonlySet<Facet> = new Set(codedFacets);

/** How many choices are read at once. */
const maxChoices = 30;

function Choices({ facet, name, id }: { facet: Facet; name: string; id: string }) {
  const [params, change] = useParamsOfView();
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data } = useQuery(
    read("/api/search/{search_id}/facet/{facet_type}", {
      path: { search_id: id, facet_type: facet },
      query: { page: 1, size: maxChoices, query: query || undefined },
    }),
  );
  const chosen = new Set(idsOf(params[facet]));
  if (!data) return <Bones lines={3} />;
  const label = coded.has(facet) ? words : String;
  return (
    <div className={styles.choices}>
      {(data.length >= maxChoices || query !== "") && (
        <SearchField label={t("search.findA", { facet: name })} value={text} onValue={setText} />
      )}
      {data.map((one) => (
        <Checkbox
          key={one.id}
          checked={chosen.has(one.id)}
          onChange={() => change({ [facet]: toggled(params[facet], one.id), at: undefined }, true)}
          label={
            <span className={styles.choice}>
              <span className="truncate" title={one.name}>{label(one.name)}</span>
              <span className="soft">{countText(one)}</span>
            </span>
          }
        />
      ))}
      {data.length === 0 && <span className="soft">{t("search.none")}</span>}
    </div>
  );
}

/** Nothing of a value that none of those that were counted has: others may have it. */
function countText(
  { count, count_is_minimum: isMinimum }: Schema<"CountableSearchFilter">,
): string {
  return isMinimum && !count ? "" : atLeast(count ?? 0, isMinimum);
}

/** The ids of a filter with one of them added or taken away, as the address has them. */
function toggled(text: string | undefined, id: number): string {
  const ids = idsOf(text);
  return (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]).join(",");
}

/** What is searched, as the address says it: `?q=orders&tags=3,4&mine=1`. */
export function formOf(params: Params, query: string): Schema<"SearchFormData"> {
  const filters = searchFacets.flatMap((facet) => {
    const ids = idsOf(params[facet]);
    return ids.length > 0
      ? [[facet, ids.map((id) => ({ entity_id: id, selected: true }))] as const]
      : [];
  });
  return { query, my_objects: params.mine === "1", filters: Object.fromEntries(filters) };
}

/** Parameters that empty all filters. */
export function noFilters(): Params {
  return without([...searchFacets, "mine"]);
}

export function filtersSet(params: Params): number {
  return searchFacets.reduce(
    (sum, facet) => sum + idsOf(params[facet]).length,
    params.mine === "1" ? 1 : 0,
  );
}
