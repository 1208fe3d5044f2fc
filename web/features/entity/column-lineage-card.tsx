import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { ColumnLink } from "#web/components/entity-link.tsx";
import { notTracedText, placeOf, reasonOf, type SqlGap } from "#web/components/sql-gaps.ts";
import { t } from "#web/messages/text.ts";

type ColumnLineageResponse = Schema<"ColumnLineageEdgeList">;

type Line = ReturnType<typeof linesOf>[number];

type ColumnRef = Parameters<typeof ColumnLink>[0];

/** Edges that are shown before `All`, and most that are shown. */
const first = 10;
const max = 1_000;

const columns = (): Column<Line>[] => [
  { name: t("entity.from"), cell: ({ from }) => <ColumnLink {...from} /> },
  { name: t("kit.to"), cell: ({ to }) => <ColumnLink {...to} /> },
  {
    name: t("entity.how"),
    cell: ({ edge: { kind, origin, subtype, description } }) => (
      <>
        {kind === "INDIRECT" && <Badge>{t("entity.hasASay")}</Badge>}
        {origin === "SQL" && <Badge>{t("entity.fromSql")}</Badge>}{" "}
        <span className="soft foreign" title={description ?? undefined}>{subtype}</span>
      </>
    ),
  },
];

type Gap = SqlGap & { at: number };

const gapColumns = (): Column<Gap>[] => [
  {
    name: t("entity.column"),
    cell: ({ column }) => <span className="foreign">{column ?? "—"}</span>,
  },
  { name: t("entity.reason"), cell: reasonOf },
  { name: t("entity.inTheSql"), cell: placeOf },
];

/** From which columns a job makes which, as it declares itself or its SQL tells; nothing where nothing tells. */
export function ColumnLineageCard({ id }: { id: number }) {
  const [all, setAll] = useState(false);
  const { data } = useQuery(
    read("/api/dataentities/{data_entity_id}/columns/lineage", {
      path: { data_entity_id: id },
      query: { size: all ? max : first },
    }),
  );
  if (!data || data.edges.length + data.not_traced.length === 0) return null;
  const { total } = data.page_info;
  return (
    <Card title={t("entity.columnLineage")}>
      <NotTraced
        gaps={data.not_traced}
        summary={notTracedText(data.sql?.outputs ?? [], data.not_traced)}
      />
      <Table
        label={t("entity.outputColumns")}
        columns={columns()}
        rows={linesOf(data)}
        keyOf={({ key }) => key}
      />
      {!all && total > first && (
        <Button small onClick={() => setAll(true)}>
          {t("entity.all", { count: count(Math.min(total, max)) })}
        </Button>
      )}
      {all && total > max && (
        <p className="soft">
          {t("entity.theFirstOf", { max: count(max), total: count(total) })}
        </p>
      )}
    </Card>
  );
}

/** What its SQL does and could not be traced; nothing where all was. */
function NotTraced({ gaps, summary }: { gaps: SqlGap[]; summary: string }) {
  if (gaps.length === 0) return null;
  return (
    <details>
      <summary>{summary}</summary>
      <Table
        label={t("entity.notTracedFromSql")}
        columns={gapColumns()}
        rows={gaps.map((gap, at) => ({ ...gap, at }))}
        keyOf={({ at }) => String(at)}
      />
    </details>
  );
}

function linesOf({ edges, columns, datasets }: ColumnLineageResponse) {
  const sets = new Map(datasets.map((one) => [one.id, one]));
  const refs = new Map(
    columns.flatMap((column): [number, ColumnRef][] => {
      const dataset = sets.get(column.dataset_id);
      if (!dataset) return [];
      return [[column.id, { dataset, name: column.name ?? null, field: column.field_id ?? null }]];
    }),
  );
  return edges.flatMap((edge) => {
    const [from, to] = [refs.get(edge.source_id), refs.get(edge.target_id)];
    const key = `${edge.source_id} ${edge.target_id} ${edge.kind}`;
    return from && to ? [{ key, edge, from, to }] : [];
  });
}
