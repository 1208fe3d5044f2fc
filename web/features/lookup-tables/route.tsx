import { useNavigate } from "@tanstack/react-router";
import { Plus, Table as TableIcon } from "lucide-react";
import { useState } from "react";
import { ask, send } from "#web/api/client.ts";
import { totalOf } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { SearchField } from "#web/kit/field.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { Empty } from "#web/kit/states.tsx";
import { actionsColumn, type Column, timeColumn } from "#web/kit/table.tsx";
import { useListSearch } from "#web/kit/search-params.ts";
import { TabLink } from "#web/components/entity-link.tsx";
import { PagedTable } from "#web/components/paged-table.tsx";
import { useCan } from "#web/components/permissions.ts";
import { useSearch } from "#web/components/search-session.ts";
import { TableMenu } from "#web/features/lookup-tables/table-menu.tsx";
import type { LookupTable } from "#web/features/lookup-tables/tables.ts";
import { t } from "#web/messages/text.ts";

// Loaded when it is wanted.
const CreateTable = lazyComponent(() =>
  import("#web/features/lookup-tables/create-dialog.tsx").then((all) => all.CreateTable)
);

type ListedTable = LookupTable & { id: number };

const search = {
  create: (query: string) => send("post", "/api/referencedata/search", { body: { query } }),
  change: (search_id: string, query: string) =>
    send("put", "/api/referencedata/search/{search_id}", { path: { search_id }, body: { query } }),
  results: async (search_id: string, page: number, signal: AbortSignal) => {
    const { data } = await ask("get", "/api/referencedata/search/{search_id}/results", {
      path: { search_id },
      query: { page, size: 50 },
      signal,
    });
    return { ...data, items: data.items.map((one): ListedTable => ({ ...one, id: one.table_id })) };
  },
};

const columns = (): Column<ListedTable>[] => [
  {
    name: t("lookup-tables.table"),
    cell: ({ dataset_id, name }) => (
      <div className="truncate">
        <TabLink id={dataset_id} tab="data" title={name ?? undefined}>{name}</TabLink>
      </div>
    ),
  },
  {
    name: t("kit.description"),
    cell: ({ description }) => (
      <div className="truncate soft" title={description?.slice(0, 500)}>
        {description?.slice(0, 200)}
      </div>
    ),
  },
  {
    name: t("kit.namespace"),
    cell: ({ namespace: { name } }) => <div className="truncate" title={name}>{name}</div>,
  },
  { name: t("kit.columns"), right: true, tight: true, cell: ({ fields }) => count(fields.length) },
  timeColumn(t("lookup-tables.changed"), ({ updated_at }) => updated_at),
  actionsColumn((one) => <TableMenu of={one} />),
];

/** All lookup tables, found by words. */
export function LookupTablesScreen() {
  const { field, query } = useListSearch();
  const [creating, setCreating] = useState(false);
  const can = useCan();
  const navigate = useNavigate();
  const found = useSearch("/api/referencedata", query, search);
  const total = totalOf(found.data);
  const create = can("LOOKUP_TABLE_CREATE") && (
    <Button
      variant="primary"
      onClick={() => setCreating(true)}
    >
      <Plus aria-hidden /> {t("lookup-tables.newTable")}
    </Button>
  );
  return (
    <Page
      title={t("lookup-tables.lookupTables")}
      about={t("lookup-tables.smallTablesOfReferenceData")}
      actions={create}
    >
      <Toolbar>
        <SearchField
          label={t("lookup-tables.searchLookupTables")}
          className={pageStyles.grow}
          {...field}
        />
        <span className="soft" role="status">
          {total !== undefined && t("lookup-tables.tableCount", { count: total })}
        </span>
      </Toolbar>
      <Card flush>
        <PagedTable<ListedTable>
          of={found}
          label={t("lookup-tables.lookupTables")}
          columns={columns()}
          empty={field.value
            ? <Empty title={t("kit.noResults")}>{t("lookup-tables.tryFewerOrShorterWords")}</Empty>
            : (
              <Empty
                title={t("lookup-tables.noLookupTablesYet")}
                icon={<TableIcon aria-hidden />}
                action={create}
              >
                {t("lookup-tables.forReferenceDataSuchAs")}
              </Empty>
            )}
        />
      </Card>
      {creating && (
        <CreateTable
          onClose={() => setCreating(false)}
          onCreated={({ dataset_id }) =>
            void navigate({ to: "/dataentities/$id/data", params: { id: String(dataset_id) } })}
        />
      )}
    </Page>
  );
}
