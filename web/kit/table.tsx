import type { MouseEvent, ReactNode } from "react";
import { Button } from "#web/kit/button.tsx";
import { classes } from "#web/kit/classes.ts";
import { count } from "#web/kit/numbers.ts";
import styles from "#web/kit/table.module.css";
import { Time } from "#web/kit/time.tsx";
import { t } from "#web/messages/text.ts";

export interface Column<Row> {
  /** Heading; also the key of the column. */
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand to the right. */
  right?: boolean;
  /** No wider than its content. */
  tight?: boolean;
  /** The heading is for assistive technology only, as above a column of buttons. */
  hideName?: boolean;
}

/** A column of texts that people or sources wrote. */
export function textColumn<Row>(
  name: string,
  textOf: (row: Row) => ReactNode,
  className = "foreign",
): Column<Row> {
  return { name, cell: (row) => <span className={className}>{textOf(row)}</span> };
}

/** A column of moments (ISO 8601), no wider than these. */
export function timeColumn<Row>(
  name: string,
  timeOf: (row: Row) => string | null | undefined,
  none?: string,
): Column<Row> {
  return { name, tight: true, cell: (row) => <Time at={timeOf(row)} none={none} /> };
}

/** A column of buttons or boxes to tick; its name is for assistive technology only. */
export function actionsColumn<Row>(
  cell: (row: Row) => ReactNode,
  name = t("kit.actions"),
): Column<Row> {
  return { name, hideName: true, tight: true, cell };
}

interface TableProps<Row> {
  /** What the table holds, for assistive technology. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string | number;
  selected?: (row: Row) => boolean;
  /** Called when a row is clicked outside of its links and buttons; one of these does the same for the keyboard. */
  onRow?: (row: Row) => void;
}

/**
 * A table of some dozens of rows; for thousands see `VirtualTable`. On a phone each row is a card; the roles are named because
 * browsers forget them when the style of a table changes.
 */
export function Table<Row>({ label, columns, rows, keyOf, selected, onRow }: TableProps<Row>) {
  const cellClass = ({ right, tight }: Column<Row>) =>
    classes(right && styles.right, tight && styles.tight);
  return (
    <div className={styles.scroll}>
      <table className={styles.table} role="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" className={cellClass(column)}>
                {column.hideName
                  ? <span className="visually-hidden">{column.name}</span>
                  : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              role="row"
              aria-selected={selected ? selected(row) : undefined}
              className={onRow && styles.clickable}
              onClick={onRow && besideControls(() => onRow(row))}
            >
              {columns.map((column, at) => (
                <td
                  key={at}
                  role="cell"
                  data-label={column.hideName ? undefined : column.name}
                  className={cellClass(column)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Handles clicks on a row, but for those on a control in it, which are the control's own. */
export function besideControls(handle: () => void): (event: MouseEvent) => void {
  return ({ target }) => {
    if (!(target as Element).closest("a,button,input,label,select,textarea")) handle();
  };
}

/** Below a list that is read page by page: how much of it is shown, and the next page. */
export function More(
  { shown, total, hasNext, busy, onMore }: {
    shown: number;
    total?: number;
    hasNext: boolean;
    busy?: boolean;
    onMore: () => void;
  },
) {
  if (!hasNext && shown < 20) return null;
  return (
    <div className={styles.more}>
      <span>
        {total === undefined
          ? t("kit.shown", { count: count(shown) })
          : t("kit.shownOf", { count: count(shown), total: count(total) })}
      </span>
      {hasNext && <Button small busy={busy} onClick={onMore}>{t("kit.showMore")}</Button>}
    </div>
  );
}
