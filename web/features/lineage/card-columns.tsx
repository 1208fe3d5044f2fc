import { useEffect, useRef } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "#web/kit/button.tsx";
import { count } from "#web/kit/numbers.ts";
import type { Cards } from "#web/graph/scene-parts.ts";
import {
  type Card,
  type Column,
  columnPath,
  type RelatedColumn,
  rowsOf,
} from "#web/graph/cards/content.ts";
import type { Model } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import { useColumnFilter } from "#web/features/lineage/columns.tsx";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import { namesIn, toggled } from "#web/features/lineage/card-state.ts";
import styles from "#web/features/lineage/cards.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Columns of a card that are listed; the rest is on the page of its structure. */
const maxListed = 200;

const maxNear = 5;

interface Props extends Pick<ViewportOverlayProps, "state" | "change"> {
  cards: Cards | null;
  model: Model;
}

/** The columns of opened cards as tables: what they are made from and go into, each leading to its own page. */
export function CardColumns({ state, change, cards, model }: Props) {
  const content = cards?.content;
  const path = content && state.column ? columnPath(content.edges, state.column).columns : null;
  const name = namesIn(model, cards);
  return (
    <section
      className={styles.columns}
      aria-label={t("lineage.columnsOfOpenedCards")}
      aria-busy={!content}
    >
      {content?.cards.map((card) => (
        <CardTable
          key={card.dataset}
          {...{ card, name, path }}
          chosen={state.column}
          onChoose={(column) => change({ column, selected: [] }, true)}
          onClose={() => change(toggled(state, card.dataset), true)}
        />
      ))}
    </section>
  );
}

interface TableProps {
  card: Card;
  name: (id: number) => string;
  path: ReadonlySet<string> | null;
  chosen: string | null;
  onChoose: (key: string | null) => void;
  onClose: () => void;
}

function CardTable({ card, name, path, chosen, onChoose, onClose }: TableProps) {
  const { dataset, columns } = card;
  const { found, fields } = useColumnFilter(
    columns,
    t("lineage.searchColumnsOf", { name: name(dataset) }),
  );
  const listed = rowsOf({ dataset, columns: found }, maxListed).columns;
  return (
    <div>
      <h2>
        <span className="truncate">{name(dataset)}</span>
        <Button
          variant="quiet"
          small
          aria-label={t("lineage.hideColumnsOf", { dataset: name(dataset) })}
          onClick={onClose}
        >
          {t("lineage.hide")}
        </Button>
      </h2>
      {fields}
      <table aria-label={t("lineage.columnsOf", { dataset: name(dataset) })}>
        <thead>
          <tr>
            <th scope="col">{t("lineage.column")}</th>
            <th scope="col">{t("lineage.upstreamColumns")}</th>
            <th scope="col">{t("lineage.goesInto")}</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((column) => (
            <Row
              key={column.key}
              {...{ column, name }}
              isChosen={column.key === chosen}
              isOnPath={path?.has(column.key) === true}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
      {columns.length === 0 && <p className="soft">{t("lineage.noColumns")}</p>}
      {listed.length < found.length && (
        <Link to="/dataentities/$id/structure" params={{ id: String(dataset) }}>
          <Rich of="lineage.allColumns" values={{ length: count(columns.length) }} />
        </Link>
      )}
    </div>
  );
}

function Row(
  { column, name, isChosen, isOnPath, onChoose }: {
    column: Column;
    name: (id: number) => string;
    isChosen: boolean;
    isOnPath: boolean;
    onChoose: (key: string | null) => void;
  },
) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <tr ref={row} data-chosen={isChosen || isOnPath || undefined}>
      <td>
        <button
          type="button"
          className={styles.name}
          aria-pressed={isChosen}
          title={t("lineage.highlightsPath")}
          onClick={() => onChoose(isChosen ? null : column.key)}
        >
          {shown(column.name)}
        </button>
        {column.type && <div className="soft">{shown(column.type)}</div>}
        {isOnPath && !isChosen && <span className="visually-hidden">{t("lineage.onThePath")}</span>}
      </td>
      <td>
        <Nears list={column.from} name={name} />
      </td>
      <td>
        <Nears list={column.into} name={name} />
      </td>
    </tr>
  );
}

function Nears({ list, name }: { list: readonly RelatedColumn[]; name: (id: number) => string }) {
  if (list.length === 0) return null;
  return (
    <ul>
      {list.slice(0, maxNear).map((near) => (
        <li key={near.key}>
          <Link
            to="/dataentities/$id/structure"
            params={{ id: String(near.dataset) }}
            search={(near.field === null ? {} : { field: String(near.field) }) as never}
          >
            {name(near.dataset)}.<wbr />
            {shown(near.name)}
          </Link>
        </li>
      ))}
      {list.length > maxNear && (
        <li className="soft">
          <Rich of="lineage.more" values={{ count: count(list.length - maxNear) }} />
        </li>
      )}
    </ul>
  );
}
