import { useQuery } from "@tanstack/react-query";
import { Share2, X } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { totalOf, usePages } from "#web/api/pages.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Button, IconButton } from "#web/kit/button.tsx";
import { SearchField } from "#web/kit/field.tsx";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useListSearch, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import type { Column } from "#web/kit/table.tsx";
import { EntityLink, TabLink } from "#web/components/entity-link.tsx";
import { PagedTable } from "#web/components/paged-table.tsx";
import { KindField, kindOf, Relationship } from "#web/features/relationships/relationship.tsx";
import styles from "#web/features/relationships/relationships.module.css";
import { t } from "#web/messages/text.ts";

type ListedRelationship = Schema<"DataEntityRelationship">;

function columnsFor(open: (of: ListedRelationship) => void): Column<ListedRelationship>[] {
  return [
    {
      name: t("relationships.relationship"),
      cell: (one) => (
        <Button small variant="quiet" title={one.name} onClick={() => open(one)}>
          <span className="truncate">{one.name.slice(0, 80)}</span>
        </Button>
      ),
    },
    {
      name: t("relationships.kind"),
      tight: true,
      cell: ({ type }) => (
        <Badge>
          {type === "ENTITY_RELATIONSHIP" ? t("relationships.key") : t("relationships.graph")}
        </Badge>
      ),
    },
    {
      name: t("relationships.from"),
      cell: ({ source_data_entity: of }) => <EntityLink of={of} tab="structure" />,
    },
    {
      name: t("kit.to"),
      cell: ({ target_data_entity: of }) => <EntityLink of={of} tab="structure" />,
    },
  ];
}

/** Relationships between datasets; the one that is open stands in the address. */
export function RelationshipsScreen() {
  const [params, change] = useParamsOfView();
  const { field, query } = useListSearch();
  const type = kindOf(params);
  const list = usePages("/api/relationships", { query: { type, query } });
  const total = totalOf(list.data);
  const open = /^(erd|graph)-(\d{1,15})$/.exec(params.open ?? "");
  const columns = columnsFor(({ id, type }) =>
    change({ open: `${type === "ENTITY_RELATIONSHIP" ? "erd" : "graph"}-${id}` }, true)
  );
  return (
    <Page
      title={t("relationships.relationships")}
      about={t("relationships.howDatasetsRelateAsTheir")}
    >
      <Toolbar>
        <SearchField
          label={t("relationships.findARelationshipByIts")}
          className={pageStyles.grow}
          {...field}
        />
        <KindField />
        <span className="soft" role="status">
          {total !== undefined && t("relationships.relationships2", { total })}
        </span>
      </Toolbar>
      <div className={open ? styles.split : undefined}>
        <Card flush>
          <PagedTable<ListedRelationship>
            of={list}
            label={t("relationships.relationships")}
            columns={columns}
            empty={<None narrowed={query !== "" || type !== "ALL"} />}
          />
        </Card>
        {open && (
          <aside className={styles.panel} aria-label={t("relationships.theOpenRelationship")}>
            <Opened kind={open[1] as "erd" | "graph"} id={Number(open[2])} />
          </aside>
        )}
      </div>
    </Page>
  );
}

function None({ narrowed }: { narrowed: boolean }) {
  return narrowed
    ? <Empty title={t("kit.noResults")}>{t("relationships.tryOtherWordsOrAll")}</Empty>
    : (
      <Empty title={t("relationships.noRelationshipsYet")} icon={<Share2 aria-hidden />}>
        {t("relationships.collectorsReportThemForeignKeys")}
      </Empty>
    );
}

function useRelationship(kind: "erd" | "graph", relationship_id: number) {
  const path = { relationship_id };
  const erd = useQuery({
    ...read("/api/relationships/erd/{relationship_id}", { path }),
    enabled: kind === "erd",
  });
  const graph = useQuery({
    ...read("/api/relationships/graph/{relationship_id}", { path }),
    enabled: kind === "graph",
  });
  return kind === "erd" ? erd : graph;
}

/** One relationship next to the list. */
function Opened({ kind, id }: { kind: "erd" | "graph"; id: number }) {
  const [, change] = useParamsOfView();
  const relationship = useRelationship(kind, id);
  return (
    <Card
      title={relationship.data?.name ?? t("relationships.relationship")}
      actions={
        <>
          <TabLink id={id}>{t("relationships.open")}</TabLink>
          <IconButton small label={t("kit.close")} onClick={() => change({ open: undefined })}>
            <X />
          </IconButton>
        </>
      }
    >
      <Shown of={relationship} what={t("relationships.relationship2")} bones={8}>
        {(data) => <Relationship of={data} />}
      </Shown>
    </Card>
  );
}
