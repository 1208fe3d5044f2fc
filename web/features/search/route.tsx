import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { Checkbox, SearchField, useDebounced } from "#web/kit/field.tsx";
import { FilterSheet } from "#web/kit/dialog.tsx";
import { Keys } from "#web/kit/keys.tsx";
import { atLeast } from "#web/kit/numbers.ts";
import { Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { Empty, Pending } from "#web/kit/states.tsx";
import { useIdentity } from "#web/components/permissions.ts";
import { FacetPanel, filtersSet, formOf, noFilters } from "#web/features/search/filters.tsx";
import { Preview } from "#web/features/search/preview.tsx";
import { Results, searchKeys } from "#web/features/search/results.tsx";
import styles from "#web/features/search/search.module.css";
import { t } from "#web/messages/text.ts";

/** Search over the whole catalogue: words and filters are in the address, results stay while the next are read. */
export function SearchScreen() {
  const [params, change] = useParamsOfView();
  const [text, setText] = useState(params.q ?? "");
  const query = useDebounced(text.trim());
  useEffect(() => setText((now) => now.trim() === (params.q ?? "") ? now : params.q ?? ""), [
    params.q,
  ]);
  useEffect(() => {
    if (query !== (params.q ?? "")) change({ q: query, at: undefined });
  }, [query]);
  const form = useMemo(() => formOf(params, params.q ?? ""), [params]);
  const session = useQuery({
    queryKey: ["/api/search", form],
    queryFn: () => send("post", "/api/search", { body: form }),
    placeholderData: keepPreviousData,
  });
  const box = useRef<HTMLInputElement>(null);
  /** Whether a user wants to go from the words to what they find. */
  const [isLeaving, setIsLeaving] = useState(false);
  const settled = text.trim() === (params.q ?? "") && !session.isFetching;
  useShortcuts(useMemo(() => ({ "/": () => box.current?.focus() }), []));
  return (
    <Page title={t("search.search")} about={about(session.data)}>
      <div className={styles.bar}>
        <SearchField
          ref={box}
          label={t("search.namesColumnsDescriptionsTermsOwn")}
          className={styles.box}
          value={text}
          onValue={(value) => {
            setIsLeaving(false);
            setText(value);
          }}
          onKeyDown={({ key }) => setIsLeaving(key === "Enter" || key === "ArrowDown")}
          autoFocus={!params.q}
        />
        <Keys of={searchKeys()} />
        <Mine />
        <ClearFilters />
      </div>
      {session.error && !session.data ? <Pending of={session} what={t("search.search2")} /> : (
        <Found
          session={session.data}
          first={isLeaving && settled}
          onFirst={() => setIsLeaving(false)}
        />
      )}
    </Page>
  );
}

function about(found: Schema<"SearchFacetsData"> | undefined): string {
  if (!found) return t("search.everythingInTheCatalogue");
  return t("search.found", { count: atLeast(found.total ?? 0, found.total_is_minimum) });
}

function ClearFilters() {
  const [params, change] = useParamsOfView();
  if (filtersSet(params) === 0) return null;
  return (
    <Button variant="quiet" onClick={() => change(noFilters(), true)}>
      {t("search.clearFilters")}
    </Button>
  );
}

/** Only what the caller owns; offered to those who own something. */
function Mine() {
  const [params, change] = useParamsOfView();
  const { data } = useIdentity();
  if (!data?.owner) return null;
  const on = params.mine === "1";
  return (
    <Checkbox
      label={t("search.mine")}
      checked={on}
      onChange={() => change({ mine: on ? undefined : "1" }, true)}
    />
  );
}

/** `first`: the focus goes to the first of them as soon as they are there. */
function Found(
  { session, first, onFirst }: {
    session: Schema<"SearchFacetsData"> | undefined;
    first: boolean;
    onFirst: () => void;
  },
) {
  const [params, change] = useParamsOfView();
  const id = session?.search_id ?? "";
  const results = useInfiniteQuery({
    ...readPages("/api/search/{search_id}/results", { path: { search_id: id } }),
    enabled: id !== "",
  });
  const rows = rowsOf<Schema<"DataEntity">>(results.data);
  const list = useRef<HTMLDivElement>(null);
  const there = first && rows.length > 0 && !results.isFetching;
  useEffect(() => {
    if (!there) return;
    list.current?.querySelector<HTMLElement>("[role=row] a")?.focus();
    onFirst();
  }, [there]);
  const chosen = rows.find((row) => row.id === Number(params.at));
  return (
    <div className={styles.columns} data-preview={chosen ? true : undefined}>
      <FilterSheet set={filtersSet(params)}>
        <FacetPanel session={session} />
      </FilterSheet>
      <div ref={list} className={styles.results} aria-busy={results.isFetching}>
        {results.isSuccess && rows.length === 0 ? <NothingFound /> : (
          <Results
            rows={rows}
            total={totalOf(results.data)}
            searchId={id}
            words={params.q ?? ""}
            chosen={chosen?.id}
            onChoose={(row) => change({ at: row === undefined ? undefined : String(row) })}
            loading={results.isPending}
            hasNext={results.hasNextPage}
            onMore={() => !results.isFetchingNextPage && void results.fetchNextPage()}
          />
        )}
      </div>
      {chosen && <Preview of={chosen} searchId={id} onClose={() => change({ at: undefined })} />}
    </div>
  );
}

function NothingFound() {
  const [params, change] = useParamsOfView();
  const filtered = filtersSet(params) > 0;
  return (
    <Empty
      title={params.q
        ? t("search.noResultsFor", { query: params.q.slice(0, 80) })
        : filtered
        ? t("search.noAssetMatchesTheseFilters")
        : t("search.theCatalogueIsEmpty")}
      action={filtered && (
        <Button onClick={() => change(noFilters(), true)}>
          {t("search.searchWithoutFilters")}
        </Button>
      )}
    >
      {params.q
        ? t("search.allWordsMustMatchThe")
        : filtered
        ? t("search.removeOneOfThemTo")
        : t("search.seeManagementIntegrationsForHow")}
    </Empty>
  );
}
