import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { PanelRight } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { crumbsOf } from "#web/components/crumbs.ts";
import { EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { StaleBadge, StatusBadge } from "#web/components/status.tsx";
import { withoutMentions } from "#web/components/term-names.ts";
import styles from "#web/features/search/search.module.css";
import { aroundMatch, isInName, placesOf } from "#web/features/search/why.ts";
import { IconButton } from "#web/kit/button.tsx";
import { plainText } from "#web/kit/markdown-text.ts";
import { words as inWords } from "#web/kit/numbers.ts";
import { useShortcuts } from "#web/kit/shortcuts.ts";
import { Bones } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { type VirtualColumn, VirtualTable } from "#web/kit/virtual-table.tsx";
import { t } from "#web/messages/text.ts";

type Row = Schema<"DataEntity">;

interface ResultsProps {
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

/** A result by its name, where it is, what it is described as, and why it was found where the name does not say so. */
function Result(
  { of, description, searchId, words }: {
    of: Row;
    description: string | null | undefined;
    searchId: string;
    words: string;
  },
) {
  const text = plainText(withoutMentions((description ?? "").slice(0, 400)), 300);
  return (
    <div className={styles.result}>
      <div className={styles.title}>
        <EntityLink of={of} />
        <StatusBadge status={of.status} />
        <StaleBadge stale={of.is_stale} />
      </div>
      <div className="soft truncate" title={text || of.catrn}>
        {[locationOf(of), text].filter(Boolean).join(" · ")}
      </div>
      {words && !isInName(words, nameOf(of)) && <Reason of={of} searchId={searchId} />}
    </div>
  );
}

/** The first place in which the words were found, in one line. */
function Reason({ of, searchId }: { of: Row; searchId: string }) {
  const { data } = useQuery(readHighlights(searchId, of.id));
  const [place, texts] = (data && placesOf(data)[0]) ?? [];
  if (!texts) return null;
  return (
    <div className={`soft truncate ${styles.reason}`}>
      {place}: <Marked texts={texts.map((text) => aroundMatch(text))} max={3} />
    </div>
  );
}

/** Where a search found its words in an entity. */
export function readHighlights(searchId: string, entity: number) {
  return {
    ...read("/api/search/{search_id}/data_entities/{data_entity_id}/highlights", {
      path: { search_id: searchId, data_entity_id: entity },
    }),
    placeholderData: undefined,
    staleTime: 5 * 60_000,
  };
}

/** Texts as the service answers them, the matches marked; at most `max` of them. */
export function Marked({ texts, max = 6 }: { texts: readonly string[]; max?: number }): ReactNode {
  return texts.slice(0, max).map((text, at) => (
    <span key={at} className="foreign">
      {at > 0 && ", "}
      {matchesIn(text).map((part, index) => index % 2 ? <mark key={index}>{part}</mark> : part)}
    </span>
  ));
}

const htmlEntities = new Map([["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["#39", "'"]]);

/** The service answers HTML: what it found in `<b>`, all else escaped. Every second part is a match; all are text. */
function matchesIn(html: string): string[] {
  return html.split(/<\/?b>/).map((part) =>
    part.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => htmlEntities.get(name)!)
  );
}

/** Where a result is: its source and what is within. */
function locationOf(of: Row): string {
  const places = [of.data_source?.name, ...crumbsOf(of.catrn).map(({ text }) => text)];
  return places.filter(Boolean).join(" › ");
}

/** Entities of one request, as many as a page of results has. */
const maxRequested = 50;

/** What entities are described as, by id: read page by page, since a list grows while it is scrolled. */
function useDescriptions(ids: readonly number[]): ReadonlyMap<number, string> {
  const chunks = Array.from(
    { length: Math.ceil(ids.length / maxRequested) },
    (_, at) => ids.slice(at * maxRequested, (at + 1) * maxRequested),
  );
  return useQueries({
    queries: chunks.map((some) => ({
      ...read("/api/dataentities/details", { query: { ids: some } }),
      placeholderData: undefined,
    })),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }) => data?.items ?? [])
          .flatMap(({ id, description }) => description ? [[id, description] as const] : []),
      ),
  });
}
