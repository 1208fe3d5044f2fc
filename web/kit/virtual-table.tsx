import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "#web/kit/table.module.css";

export interface VirtualColumn<Row> {
  name: string;
  /** Width as a track of a CSS grid, such as `minmax(12rem, 2fr)`. */
  width: string;
  cell: (row: Row, index: number) => ReactNode;
  /** The heading is for assistive technology only, as above boxes to tick. */
  hideName?: boolean;
}

export interface VirtualTableProps<Row> {
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
}

/** A table of any number of rows: only those in view are drawn. */
export function VirtualTable<Row>(
  { label, columns, rows, keyOf, height, rowHeight = 36, selected, onEnd, scrollTo, onKeyDown }:
    VirtualTableProps<Row>,
) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: 34,
    getItemKey: (index) => keyOf(rows[index]!),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 5) onEnd?.();
  }, [last, rows.length]);
  useEffect(() => {
    if (scrollTo !== undefined && scrollTo >= 0) virtual.scrollToIndex(scrollTo, { align: "auto" });
  }, [scrollTo]);
  const gridTemplateColumns = columns.map(({ width }) => width).join(" ");
  return (
    <div
      ref={frame}
      className={styles.grid}
      style={{ height }}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="row" className={styles.gridhead} style={{ gridTemplateColumns }} aria-rowindex={1}>
        {columns.map(({ name, hideName }) => (
          <div key={name} role="columnheader" className="truncate">
            {hideName ? <span className="visually-hidden">{name}</span> : name}
          </div>
        ))}
      </div>
      <div role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => (
          <div
            key={key}
            role="row"
            aria-rowindex={index + 2}
            aria-selected={selected ? selected(rows[index]!) : undefined}
            className={styles.gridrow}
            style={{ gridTemplateColumns, top: start, height: rowHeight }}
          >
            {columns.map(({ name, cell }) => (
              <div key={name} role="cell">{cell(rows[index]!, index)}</div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
