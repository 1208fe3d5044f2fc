import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Schema, send } from "#web/api/client.ts";
import { readPages, rowsOf } from "#web/api/pages.ts";
import { words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, More, Table } from "#web/kit/table.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import styles from "#web/features/owner/owner.module.css";
import { t } from "#web/messages/text.ts";

type Asset = Schema<"DataEntity">;

const columns = (): Column<Asset>[] => [
  { name: t("owner.asset"), cell: (asset) => <EntityLink of={asset} /> },
  { name: t("kit.type"), cell: ({ type }) => type && words(type.name), tight: true },
  { name: t("owner.source"), cell: ({ data_source }) => data_source?.name },
];

/** What an owner owns, as the search for it finds it. */
export function OwnerAssets({ owner }: { owner: number }) {
  const filters = { owners: [{ entity_id: owner, selected: true }] };
  const session = useQuery({
    queryKey: ["/api/search", { owner }],
    queryFn: () => send("post", "/api/search", { body: { query: "", filters } }),
  });
  const total = session.data?.total_is_minimum ? undefined : session.data?.total ?? undefined;
  return (
    <Card
      title={total === undefined ? t("owner.assets") : t("owner.assets3", { total })}
      flush
      actions={
        <Link to="/search" search={{ owners: String(owner) } as never} className={styles.all}>
          {t("owner.searchThem")}
        </Link>
      }
    >
      <Shown of={session} what={t("owner.assets2")} bones={6}>
        {({ search_id, total: found }) =>
          found === 0
            ? <Empty title={t("owner.noAssets")}>{t("owner.thisOwnerOwnsNothingYet")}</Empty>
            : <Found search={search_id} total={total} />}
      </Shown>
    </Card>
  );
}

function Found({ search, total }: { search: string; total: number | undefined }) {
  const results = useInfiniteQuery(
    readPages("/api/search/{search_id}/results", { params: { path: { search_id: search } } }),
  );
  return (
    <Shown of={results} what={t("owner.assets2")} bones={6}>
      {(data) => {
        const rows = rowsOf<Asset>(data);
        return (
          <>
            <Table
              label={t("owner.assets")}
              columns={columns()}
              rows={rows}
              keyOf={({ id }) => id}
            />
            <More
              shown={rows.length}
              total={total}
              hasNext={results.hasNextPage}
              busy={results.isFetchingNextPage}
              onMore={() => void results.fetchNextPage()}
            />
          </>
        );
      }}
    </Shown>
  );
}
