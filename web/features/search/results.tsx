import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Schema } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { words as inWords } from "#web/kit/numbers.ts";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { Bones } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { type VirtualColumn, VirtualTable } from "#web/kit/virtual-table.tsx";
import { useDescriptions } from "#web/features/search/descriptions.ts";
import { Result } from "#web/features/search/result.tsx";
import { PanelRight } from "lucide-react";
import { t } from "#web/messages/text.ts";

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
  /** The search that found them, with the highlights. */
  searchId: string;
  /** What is searched for. */
  words: string;
}

/** What the keys do here. */
export const searchKeys = () =>
  [
    ["Enter", t("search.toTheFirst")],
    ["j k", t("search.preview")],
    ["o", t("search.open")],
    ["/", t("search.words")],
  ] as const;

/** What was found. j and k go through it, o opens the entity, Escape closes its preview. */
export function Results(props: ResultsProps) {
  const { rows, loading, hasNext, onMore, chosen, onChoose, searchId, words } = props;
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
  const descriptions = useDescriptions(rows.map(({ id }) => id));
  const columns = useMemo(
    (): VirtualColumn<Row>[] => columnsOf({ chosen, onChoose, searchId, words, descriptions }),
    [chosen, searchId, words, descriptions],
  );
  if (loading) return <Bones lines={12} />;
  return (
    <VirtualTable
      label={t("search.entitiesFound")}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      height="calc(100dvh - 13rem)"
      rowHeight={66}
      selected={({ id }) => id === chosen}
      onRow={({ id }) => onChoose(id)}
      onEnd={hasNext ? onMore : undefined}
      scrollTo={at}
    />
  );
}

interface ColumnInputs extends Pick<ResultsProps, "chosen" | "onChoose" | "searchId" | "words"> {
  descriptions: ReadonlyMap<number, string>;
}

function columnsOf(
  { chosen, onChoose, searchId, words, descriptions }: ColumnInputs,
): VirtualColumn<Row>[] {
  return [
    {
      name: t("kit.name"),
      width: "minmax(14rem, 5fr)",
      cell: (row) => (
        <Result of={row} description={descriptions.get(row.id)} {...{ searchId, words }} />
      ),
    },
    {
      name: t("kit.type"),
      width: "minmax(6rem, 1fr)",
      cell: ({ type }) => <span className="soft truncate">{inWords(type.name)}</span>,
    },
    {
      name: t("kit.owners"),
      width: "minmax(6rem, 1fr)",
      cell: ({ ownership }) => (
        <div className="truncate">
          {(ownership ?? []).map(({ owner }) => owner.name).join(", ")}
        </div>
      ),
    },
    {
      name: t("search.updated"),
      width: "7.5rem",
      cell: (row) => (
        <span className="soft">
          <Time at={row.last_ingested_at} />
        </span>
      ),
    },
    {
      name: t("search.preview"),
      hideName: true,
      width: "4rem",
      cell: ({ id }) => (
        <IconButton
          small
          label={id === chosen ? t("search.closeThePreview") : t("search.preview")}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id === chosen ? undefined : id)}
        >
          <PanelRight />
        </IconButton>
      ),
    },
  ];
}
