import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { classes } from "#web/kit/classes.ts";
import { besideControls } from "#web/kit/table.tsx";
import { useNarrow } from "#web/kit/use-narrow.ts";
import styles from "#web/kit/table.module.css";

export interface VirtualColumn<Row> {
  name: string;
  /** Width as a track of a CSS grid, such as `minmax(12rem, 2fr)`. */
  width: string;
  cell: (row: Row, index: number) => ReactNode;
  /** The heading is for assistive technology only, as above boxes to tick. */
  hideName?: boolean;
}

interface VirtualTableProps<Row> {
  label: string;
  columns: VirtualColumn<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string | number;
  /** Height of the visible part, such as `60vh`. */
  height: string;
  /** Height of a row in pixels. */
  rowHeight?: number;
  /** Whether it is the row whose details are shown. */
  selected?: (row: Row) => boolean;
  /** Called when the last rows come into view: reads the next page. */
  onEnd?: () => void;
  /** The row to bring into view. */
  scrollTo?: number;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** Called when a row is clicked outside of its links and buttons; one of these does the same for the keyboard. */
  onRow?: (row: Row) => void;
}

/** A table of any number of rows, of which only those in view are drawn; on a phone each row is a card. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, height, onKeyDown } = props;
  const cards = useNarrow();
  const { frame, virtual } = useDrawn(props, cards);
  const gridTemplateColumns = columns.map(({ width }) => width).join(" ");
  return (
    <div
      ref={frame}
      className={classes(styles.grid, cards && styles.cards)}
      style={{ height }}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="row" className={styles.gridhead} style={{ gridTemplateColumns }} aria-rowindex={1}>
        {columns.map(({ name, hideName }, at) => (
          <div key={at} role="columnheader" className="truncate">
            {hideName ? <span className="visually-hidden">{name}</span> : name}
          </div>
        ))}
      </div>
      <div role="rowgroup" className={styles.gridrows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <VirtualRow
            key={key}
            {...props}
            row={rows[index]!}
            index={index}
            measure={cards ? virtual.measureElement : undefined}
            style={cards
              ? { top: start }
              : { gridTemplateColumns, top: start, height: props.rowHeight ?? 36 }}
          />
        ))}
      </div>
    </div>
  );
}

/** Pixels of a line of a card, until it is measured. */
const cardLine = 28;

/** Which rows are drawn, and where. */
function useDrawn<Row>(props: VirtualTableProps<Row>, cards: boolean) {
  const { rows, columns, keyOf, rowHeight = 36, onEnd, scrollTo } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (cards ? columns.length * cardLine : rowHeight),
    overscan: 12,
    scrollMargin: cards ? 0 : 34,
    getItemKey: (index) => keyOf(rows[index]!),
  });
  useEffect(() => virtual.measure(), [cards]);
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 5) onEnd?.();
  }, [last, rows.length]);
  useEffect(() => {
    if (scrollTo !== undefined && scrollTo >= 0) virtual.scrollToIndex(scrollTo, { align: "auto" });
  }, [scrollTo]);
  return { frame, virtual };
}

interface VirtualRowProps<Row> extends VirtualTableProps<Row> {
  row: Row;
  index: number;
  /** Tells its height where that is not known beforehand. */
  measure: ((element: Element | null) => void) | undefined;
  style: CSSProperties;
}

function VirtualRow<Row>(
  { row, index, measure, style, columns, selected, onRow }: VirtualRowProps<Row>,
) {
  return (
    <div
      ref={measure}
      data-index={index}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected ? selected(row) : undefined}
      className={classes(styles.gridrow, onRow && styles.clickable)}
      style={style}
      onClick={onRow && besideControls(() => onRow(row))}
    >
      {columns.map(({ name, hideName, cell }, at) => (
        <div key={at} role="cell" data-label={hideName ? undefined : name}>
          {cell(row, index)}
        </div>
      ))}
    </div>
  );
}
