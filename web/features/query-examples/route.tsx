import { Link, useNavigate } from "@tanstack/react-router";
import { Code2, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ask, send } from "#web/api/client.ts";
import { totalOf } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { SearchField } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { Empty } from "#web/kit/states.tsx";
import type { Column } from "#web/kit/table.tsx";
import { useListSearch } from "#web/kit/search-params.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import { PagedTable } from "#web/components/paged-table.tsx";
import { useCan } from "#web/components/permissions.ts";
import { useSearch } from "#web/components/search-session.ts";
import {
  createExample,
  type Example,
  ExampleDialog,
  titleOf,
} from "#web/features/query-examples/examples.tsx";
import { t } from "#web/messages/text.ts";

const search = {
  create: (query: string) => send("post", "/api/queryexample/search", { body: { query } }),
  change: (search_id: string, query: string) =>
    send("put", "/api/queryexample/search/{search_id}", { path: { search_id }, body: { query } }),
  results: async (search_id: string, page: number, signal: AbortSignal) =>
    (await ask("get", "/api/queryexample/search/{search_id}/results", {
      path: { search_id },
      query: { page, size: 50 },
      signal,
    })).data,
};

const columns = (): Column<Example>[] => [
  {
    name: t("query-examples.matchFor"),
    cell: (one) => (
      <div className="truncate">
        <Link
          to="/queryexamples/$id"
          params={{ id: String(one.id) }}
          title={one.definition.slice(0, 500)}
        >
          {titleOf(one)}
        </Link>
      </div>
    ),
  },
  {
    name: t("query-examples.query2"),
    cell: ({ query }) => (
      <div className="truncate mono soft" title={query.slice(0, 1_000)}>{query.slice(0, 200)}</div>
    ),
  },
  {
    name: t("query-examples.of"),
    cell: ({ linked_entities: [first, ...others] }) =>
      first
        ? (
          <div>
            <EntityLink of={first} />
            {others.length > 0 && (
              <div className="soft">{t("query-examples.andMore", { count: others.length })}</div>
            )}
          </div>
        )
        : <span className="soft">{t("query-examples.nothingYet")}</span>,
  },
  {
    name: t("kit.terms"),
    right: true,
    tight: true,
    cell: ({ linked_terms: { page_info } }) => count(page_info.total),
  },
];

/** All query examples, found by words. */
export function QueryExamplesScreen() {
  const { field, query } = useListSearch();
  const [creating, setCreating] = useState(false);
  const can = useCan();
  const navigate = useNavigate();
  const found = useSearch("/api/queryexample", query, search);
  const total = totalOf(found.data);
  const create = can("QUERY_EXAMPLE_CREATE") && (
    <Button
      variant="primary"
      onClick={() => setCreating(true)}
    >
      <Plus aria-hidden /> {t("query-examples.newExample")}
    </Button>
  );
  return (
    <Page
      title={t("query-examples.queryExamples")}
      about={t("query-examples.reusableQueriesAndTheirPurpose")}
      actions={create}
    >
      <Toolbar>
        <SearchField
          label={t("query-examples.searchQueryExamples")}
          className={pageStyles.grow}
          {...field}
        />
        <span className="soft" role="status">
          {total !== undefined && t("query-examples.exampleCount", { count: total })}
        </span>
      </Toolbar>
      <Card flush>
        <PagedTable<Example>
          of={found}
          label={t("query-examples.queryExamples")}
          columns={columns()}
          empty={<NoExamples isSearch={field.value !== ""} action={create} />}
        />
      </Card>
      {creating && (
        <ExampleDialog
          title={t("query-examples.newQueryExample")}
          action={t("kit.create")}
          save={createExample}
          onSaved={({ id }) =>
            void navigate({ to: "/queryexamples/$id", params: { id: String(id) } })}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}

function NoExamples({ isSearch, action }: { isSearch: boolean; action: ReactNode }) {
  if (isSearch) {
    return <Empty title={t("kit.noResults")}>{t("query-examples.tryFewerOrShorterWords")}</Empty>;
  }
  return (
    <Empty title={t("query-examples.noExamplesYet")} icon={<Code2 aria-hidden />} action={action}>
      {t("query-examples.saveTheQueriesThatPeople")}
    </Empty>
  );
}
