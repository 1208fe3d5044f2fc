import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { stepOf } from "#web/kit/arrow-keys.ts";
import { classes } from "#web/kit/classes.ts";
import styles from "#web/kit/tree-grid.module.css";
import table from "#web/kit/table.module.css";
import { t } from "#web/messages/text.ts";

/** A row of a tree, with its place in it. */
export interface TreeGridRow {
  /** From 0. */
  depth: number;
  /** Undefined where nothing is under it. */
  open: boolean | undefined;
  /** Among its siblings, from 1. */
  place: number;
  siblings: number;
}

export interface TreeColumn<Row> {
  name: string;
  /** Width as a track of a CSS grid. */
  width: string;
  cell: (row: Row) => ReactNode;
}

interface TreeGridProps<Row extends TreeGridRow> {
  label: string;
  /** The first one shows the tree. */
  columns: TreeColumn<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string | number;
  nameOf: (row: Row) => string;
  /** Index of the chosen row; -1 when there is none. */
  chosen: number;
  onChoose: (index: number) => void;
  onToggle: (index: number) => void;
  /** Height of the visible part. */
  height: string;
}

const rowHeight = 34;

/** A tree as a table of any number of rows: only those in view are drawn; arrows walk it, left and right fold it. */
export function TreeGrid<Row extends TreeGridRow>(props: TreeGridProps<Row>) {
  const { label, columns, rows, keyOf, chosen, onChoose, onToggle, height } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingEnd: 36,
    getItemKey: (index) => keyOf(rows[index]!),
  });
  const at = useIndex(chosen);
  useEffect(() => {
    if (chosen >= 0) virtual.scrollToIndex(chosen, { align: "auto" });
  }, [chosen]);
  const keys = (event: KeyboardEvent) => {
    if (event.target !== frame.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const rowsInView = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 1);
    const step = stepOf(event.key, rows, at.current, rowsInView);
    if (!step) return;
    event.preventDefault();
    if ("toggle" in step) return onToggle(step.toggle);
    at.current = step.to;
    onChoose(step.to);
  };
  const gridTemplateColumns = columns.map(({ width }) => width).join(" ");
  return (
    <div
      ref={frame}
      className={classes(table.grid, styles.tree)}
      style={{ height }}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
      tabIndex={0}
      onKeyDown={keys}
    >
      <div role="row" className={table.gridhead} style={{ gridTemplateColumns }} aria-rowindex={1}>
        {columns.map(({ name }) => (
          <div key={name} role="columnheader" className="truncate">{name}</div>
        ))}
      </div>
      <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <TreeLine
            key={key}
            {...props}
            id={`${id}-${index}`}
            index={index}
            style={{ gridTemplateColumns, top: start, height: rowHeight }}
          />
        ))}
      </div>
    </div>
  );
}

/** The chosen row as keys have it: the address changes a little later than keys can follow each other. */
function useIndex(chosen: number) {
  const at = useRef(chosen);
  useLayoutEffect(() => {
    at.current = chosen;
  }, [chosen]);
  return at;
}

function TreeLine<Row extends TreeGridRow>(
  { id, index, style, rows, columns, nameOf, chosen, onChoose, onToggle }: TreeGridProps<Row> & {
    id: string;
    index: number;
    style: { gridTemplateColumns: string; top: number; height: number };
  },
) {
  const row = rows[index]!;
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-level={row.depth + 1}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.open}
      aria-selected={index === chosen}
      className={classes(table.gridrow, styles.row)}
      style={style}
      onClick={() => onChoose(index)}
    >
      {columns.map(({ name, cell }, at) => (
        <div key={name} role="gridcell" className={at === 0 ? styles.first : undefined}>
          {at === 0 && (
            <Fold
              row={row}
              name={nameOf(row)}
              onToggle={() => onToggle(index)}
            />
          )}
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

/** Indents the row, and folds what is under it. For the mouse: the keyboard has its arrows. */
function Fold({ row, name, onToggle }: { row: TreeGridRow; name: string; onToggle: () => void }) {
  return (
    <span className={styles.fold} style={{ paddingLeft: `${Math.min(row.depth, 12) * 1.1}rem` }}>
      {row.open !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={row.open ? t("kit.collapse", { name }) : t("kit.expand", { name })}
          className={classes(row.open && styles.open)}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <ChevronRight />
        </button>
      )}
    </span>
  );
}
