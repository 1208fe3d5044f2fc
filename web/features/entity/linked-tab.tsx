import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Share2 } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { buttonClass } from "#web/kit/button.tsx";
import { SearchField, useDebounced } from "#web/kit/field.tsx";
import { count, listText, words } from "#web/kit/numbers.ts";
import { Card, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, More, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { StaleBadge, StatusBadge } from "#web/components/status.tsx";
import { useDetails, useEntityId } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

type Row = Schema<"DataEntityBaseObject">;

/** What is in a group, what the group is in, and the groups within. */
export function LinkedTab() {
  const id = useEntityId();
  const details = useDetails(id).data;
  if (!details || id === undefined) return null;
  if (details.items_count == null) {
    return (
      <Empty title={t("entity.onlyGroupsHaveMembers")}>
        {t("entity.seeTheOverviewAndThe")}
      </Empty>
    );
  }
  return (
    <div className={styles.stack} key={id}>
      {details.has_children && <Children id={id} />}
      <Items id={id} />
    </div>
  );
}

const kind = ({ type }: Row) => <span className="soft">{words(type.name)}</span>;
const owners = ({ ownership }: Row) => (
  <span className="truncate">{listText((ownership ?? []).map(({ owner }) => owner.name))}</span>
);
const columns = (): Column<Row>[] => [
  { name: t("kit.name"), cell: (row) => <EntityLink of={row} /> },
  { name: t("kit.type"), tight: true, cell: kind },
  { name: t("kit.owners"), cell: owners },
  {
    name: t("kit.status"),
    tight: true,
    cell: (row) => (
      <>
        <StatusBadge status={row.status} /> <StaleBadge stale={row.is_stale} />
      </>
    ),
  },
  { name: t("entity.ingested"), tight: true, cell: (row) => <Time at={row.last_ingested_at} /> },
];

function Items({ id }: { id: number }) {
  const [{ q = "" }, setParams] = useParamsOfView();
  const query = useDebounced(q.trim());
  const pages = useInfiniteQuery(
    readPages("/api/dataentitygroups/{data_entity_group_id}/items", {
      path: { data_entity_group_id: id },
      query: { query: query || undefined },
    }),
  );
  return (
    <>
      <Toolbar>
        <SearchField
          className={pageStyles.grow}
          label={t("entity.filterByName")}
          value={q}
          onValue={(text) => setParams({ q: text })}
        />
        <Link
          to="/lineage"
          search={{ ids: String(id), mode: "members" } as never}
          className={buttonClass()}
        >
          <Share2 aria-hidden /> {t("entity.lineageOfTheGroup")}
        </Link>
      </Toolbar>
      <Shown of={pages} what={t("entity.members")} bones={8}>
        {(data) => {
          const all = data.pages.flatMap(({ items }) => items);
          const { above = [], within = [] } = Object.groupBy(
            all,
            ({ is_upper_group }) => is_upper_group ? "above" : "within",
          );
          const last = data.pages.at(-1)!;
          return (
            <>
              {above.length > 0 && <Rows title={t("entity.inTheseGroups")} rows={above} />}
              {within.length > 0 && (
                <Rows
                  title={t("entity.members4", { entitiesCount: last.entities_count })}
                  rows={within}
                />
              )}
              {all.length === 0 && <None filtered={query !== ""} />}
              <More
                shown={all.length}
                total={last.page_info.total}
                hasNext={pages.hasNextPage}
                busy={pages.isFetchingNextPage}
                onMore={() => void pages.fetchNextPage()}
              />
            </>
          );
        }}
      </Shown>
    </>
  );
}

function Rows({ title, rows }: { title: string; rows: Schema<"DataEntityGroupItem">[] }) {
  return (
    <Card title={title} flush>
      <Table
        label={title}
        columns={columns()}
        rows={rows.map(({ data_entity }) => data_entity)}
        keyOf={({ id }) => id}
      />
    </Card>
  );
}

function None({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t("entity.noMembersMatch")} />;
  return (
    <Empty title={t("entity.theGroupHasNoMembers")}>
      {t("entity.addAnAssetFromIts")}
    </Empty>
  );
}

/** Groups within the group, which are the way further down. */
function Children({ id }: { id: number }) {
  const pages = useInfiniteQuery(
    readPages("/api/dataentitygroups/{data_entity_group_id}/children", {
      path: { data_entity_group_id: id },
    }),
  );
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  if (rows.length === 0) return null;
  const [name, type, , status] = columns();
  const members: Column<Schema<"DataEntity">> = {
    name: t("components.members"),
    right: true,
    tight: true,
    cell: (row) => count(row.items_count ?? 0),
  };
  return (
    <Card title={t("entity.groupsWithin")} flush>
      <Table
        label={t("entity.groupsWithin")}
        columns={[name!, type!, members, status!]}
        rows={rows}
        keyOf={(row) => row.id}
      />
      <More
        shown={rows.length}
        total={pages.data?.pages.at(-1)?.page_info.total}
        hasNext={pages.hasNextPage}
        busy={pages.isFetchingNextPage}
        onMore={() => void pages.fetchNextPage()}
      />
    </Card>
  );
}
