import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Schema } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { words } from "#web/kit/numbers.ts";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { Bones } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { type VirtualColumn, VirtualTable } from "#web/kit/virtual-table.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { StaleBadge, StatusBadge } from "#web/components/status.tsx";
import { PanelRight } from "lucide-react";

type Row = Schema<"DataEntity">;

export interface ResultsProps {
  rows: Row[];
  total: number | undefined;
  loading: boolean;
  hasNext: boolean;
  onMore: () => void;
  /** Id of the row whose preview is shown. */
  chosen: number | undefined;
  onChoose: (id: number | undefined) => void;
}

/** What the keys do here. */
export const searchKeys = [["Enter", "to the first"], ["j k", "preview"], ["o", "open"], [
  "/",
  "words",
]] as const;

/** What was found. j and k go through it, o opens the entity, Escape closes its preview. */
export function Results({ rows, loading, hasNext, onMore, chosen, onChoose }: ResultsProps) {
  const navigate = useNavigate();
  const at = rows.findIndex(({ id }) => id === chosen);
  const keys = useMemo(() => ({
    j: () => onChoose(rows[Math.min(at + 1, rows.length - 1)]?.id),
    k: () => onChoose(rows[Math.max(at - 1, 0)]?.id),
    o: () =>
      chosen && void navigate({ to: "/dataentities/$id/overview", params: { id: String(chosen) } }),
    Escape: () => onChoose(undefined),
  }), [rows, at, chosen]);
  useShortcuts(keys);
  const columns = useMemo((): VirtualColumn<Row>[] => columnsOf(chosen, onChoose), [chosen]);
  if (loading) return <Bones lines={12} />;
  return (
    <VirtualTable
      label="Entities found"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      height="calc(100dvh - 13rem)"
      rowHeight={40}
      selected={({ id }) => id === chosen}
      onRow={({ id }) => onChoose(id)}
      onEnd={hasNext ? onMore : undefined}
      scrollTo={at}
    />
  );
}

type Choose = ResultsProps["onChoose"];

function columnsOf(chosen: number | undefined, onChoose: Choose): VirtualColumn<Row>[] {
  return [
    { name: "Name", width: "minmax(12rem, 3fr)", cell: (row) => <EntityLink of={row} /> },
    {
      name: "Type",
      width: "minmax(6rem, 1fr)",
      cell: ({ type }) => <span className="soft truncate">{words(type.name)}</span>,
    },
    {
      name: "Source",
      width: "minmax(7rem, 1fr)",
      cell: ({ data_source: source }) => (
        <div className="truncate" title={source?.catrn}>{source?.name}</div>
      ),
    },
    {
      name: "Owners",
      width: "minmax(6rem, 1fr)",
      cell: ({ ownership }) => (
        <div className="truncate">
          {(ownership ?? []).map(({ owner }) => owner.name).join(", ")}
        </div>
      ),
    },
    {
      name: "Status",
      width: "7rem",
      cell: ({ status, is_stale }) =>
        status.status === "UNASSIGNED"
          ? <StaleBadge stale={is_stale} />
          : <StatusBadge status={status} />,
    },
    {
      name: "Updated",
      width: "7.5rem",
      cell: (row) => (
        <span className="soft">
          <Time at={row.last_ingested_at} />
        </span>
      ),
    },
    {
      name: "Preview",
      hideName: true,
      width: "4rem",
      cell: ({ id }) => (
        <IconButton
          small
          label={id === chosen ? "Close the preview" : "Preview"}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id === chosen ? undefined : id)}
        >
          <PanelRight />
        </IconButton>
      ),
    },
  ];
}
