import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import type { Schema } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { type Column, contentOf, datasetOf } from "#web/graph/cards/content.ts";
import { OpenCards } from "#web/graph/cards/open-cards.ts";
import type { Model } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import { type LineageState, maxCards } from "#web/features/lineage/address.ts";
import { readColumns } from "#web/features/lineage/columns.tsx";
import { ColumnImpact } from "#web/features/lineage/impact-summary.tsx";
import { endsOf, namesIn } from "#web/features/lineage/card-state.ts";
import { useSame } from "#web/features/lineage/hooks.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/cards.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import { listText } from "#web/kit/numbers.ts";

/** Reads the columns of opened cards for the drawing, and shows the selected one. */
export function OpenedCards(props: ViewportOverlayProps) {
  const { drawing: { model }, state, change, setCards } = props;
  const { content, failed, retry } = useContent(model, state);
  const cards = useMemo(() => new OpenCards(content), [content]);
  useEffect(() => setCards(cards), [cards]);
  useEffect(() => () => setCards(null), []);
  const column = state.column === null ? undefined : cards.column(state.column);
  useOtherEnds(props, cards, column);
  const name = namesIn(model, cards);
  const summaries = cards.content.cards.map(({ dataset, columns }) =>
    t("lineage.showsColumns", { dataset: name(dataset), length: columns.length })
  );
  return (
    <>
      <p className="visually-hidden" role="status">
        {column ? spokenColumn(column, name) : summaries.join("; ")}
      </p>
      {failed.length > 0 && (
        <div className={styles.told} role="alert">
          {t("lineage.columnsNotRead", { names: listText(failed.map(name)) })}{" "}
          <Button small onClick={retry}>{t("kit.tryAgain")}</Button>
        </div>
      )}
      {column && (
        <div className={styles.chosenroom}>
          <Chosen column={column} name={name} onClose={() => change({ column: null })} />
          {state.asOf === null && (
            <ColumnImpact dataset={datasetOf(column.key)} column={column.name} />
          )}
        </div>
      )}
    </>
  );
}

/** Opens what the path of the chosen column leads on to, each once: somebody may close it again. */
function useOtherEnds(
  { drawing: { model }, state, change }: ViewportOverlayProps,
  cards: OpenCards,
  column: Column | undefined,
): void {
  const seen = useRef({ key: "", ids: new Set<number>() });
  useEffect(() => {
    if (!column) return;
    if (seen.current.key !== column.key) seen.current = { key: column.key, ids: new Set() };
    const ends = endsOf(state, model, column, (key) => cards.column(key))
      .filter((id) => !seen.current.ids.has(id));
    if (ends.length === 0) return;
    for (const id of ends) seen.current.ids.add(id);
    const dataset = datasetOf(column.key);
    // The chosen one is the last, so that it is not among those that close.
    const others = [...state.cards, ...ends].filter((id) => id !== dataset);
    change({ cards: [...others.slice(1 - maxCards), dataset] });
  }, [cards, column?.key]);
}

/** What is read of the opened cards that are drawn; one shows its columns once both its sides are there. */
function useContent(model: Model, state: LineageState) {
  const sets = state.cards.filter((id) => model.nodes.has(id));
  const answers = useQueries({ queries: sets.flatMap((id) => readColumns(id, state)) });
  const pieces = useSame(answers.map(({ data }) => data as Schema<"ColumnLineage"> | undefined));
  const content = useMemo(() =>
    contentOf(sets.flatMap((dataset, at) => {
      const [up, down] = [pieces[2 * at], pieces[2 * at + 1]];
      return up && down ? [{ dataset, answers: [up, down] }] : [];
    })), [sets.join(), pieces]);
  const failed = sets.filter((_, at) => answers[2 * at]?.error ?? answers[2 * at + 1]?.error);
  const retry = () => answers.forEach(({ error, refetch }) => error && void refetch());
  return { content, failed, retry };
}

/** A column in words: what is read out when it is chosen. */
function spokenColumn(column: Column, name: (id: number) => string): string {
  const near = (list: Column["from"]) => {
    const names = list.slice(0, 6).map((one) =>
      t("lineage.of2", { name: shown(one.name), dataset: name(one.dataset) })
    );
    const more = list.length - names.length;
    if (more > 0) names.push(t("lineage.more", { count: more }));
    return names.length > 0 ? listText(names) : t("lineage.nothing");
  };
  return [
    t("lineage.columnOf", { column: shown(column.name), dataset: name(column.dataset) }),
    column.type,
    t("lineage.madeFrom", { names: near(column.from) }),
    t("lineage.intoNames", { names: near(column.into) }),
  ].filter(Boolean).join("; ");
}

/** The chosen column, above the drawing: its whole name, and the way to all that is known of it. */
function Chosen(
  { column, name, onClose }: {
    column: Column;
    name: (id: number) => string;
    onClose: () => void;
  },
) {
  const dataset = datasetOf(column.key);
  return (
    <div className={styles.told}>
      <span className={styles.chosen} title={column.name}>
        <span className="soft">{name(dataset)}.</span>
        <b>{shown(column.name)}</b>
      </span>
      {column.type && <span className="soft truncate">{shown(column.type)}</span>}
      <span className={styles.counts}>
        <Rich
          of="lineage.madeFromGoesInto"
          values={{ length: column.from.length, length2: column.into.length }}
        />
      </span>
      <Link
        to="/dataentities/$id/structure"
        params={{ id: String(dataset) }}
        search={(column.field === null ? {} : { field: String(column.field) }) as never}
      >
        {t("lineage.impactOfThisColumn")}
      </Link>
      <IconButton label={t("lineage.clearColumn")} small onClick={onClose}>
        <X />
      </IconButton>
    </div>
  );
}
