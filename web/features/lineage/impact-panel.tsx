import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { TriangleAlert } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { classes } from "#web/kit/classes.ts";
import { words } from "#web/kit/numbers.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { EntityIcon } from "#web/parts/entity-icon.tsx";
import type { ImpactRow } from "#web/graph/export/impact.ts";
import type { Model } from "#web/graph/model.ts";
import { shown } from "#web/graph/shown.ts";
import type { Walkable } from "#web/graph/walkable.ts";
import { distanceText, impactRows } from "#web/features/lineage/impact-rows.ts";
import { type Brief, useBriefs } from "#web/features/lineage/briefs.ts";
import styles from "#web/features/lineage/panel.module.css";

export interface ImpactPanelProps {
  model: Model;
  graph: Walkable;
  /** Entity that has the focus, here and in the drawing. */
  focus: number | null;
  faded: (id: number) => boolean;
  onFocus: (id: number) => void;
  onChoose: (id: number) => void;
  /** Ids of the direct neighbours that are loaded. */
  near: (id: number, side: "upstream" | "downstream") => number[];
}

const columns = ["Name", "Distance", "Kind", "Source", "Owners", "Alerts"];
const rowHeight = 34;

/** The same entities as a table: up and down go along it, right and left along lines as in the drawing. */
export default function ImpactPanel(props: ImpactPanelProps) {
  const { model, graph, focus, faded, onFocus } = props;
  const rows = useMemo(() => impactRows(model, graph), [model, graph]);
  const frame = useRef<HTMLDivElement>(null);
  const places = useMemo(() => new Map(rows.map(({ node }, at) => [node.id, at])), [rows]);
  const at = places.get(focus ?? -1) ?? 0;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: 34,
  });
  const items = virtual.getVirtualItems();
  const briefs = useBriefs(useDebounced(useIdsOf(rows, items.map(({ index }) => index))));
  const [inside, setInside] = useState(false);
  useEffect(() => {
    virtual.scrollToIndex(at, { align: "auto" });
    if (inside) frame.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus();
  }, [at, inside, items.length]);
  const onKeyDown = keysOf(props, rows, at);
  return (
    <div
      ref={frame}
      className={styles.panel}
      role="treegrid"
      aria-label="Entities of this drawing, by distance"
      aria-rowcount={rows.length + 1}
      onKeyDown={onKeyDown}
      onFocus={() => setInside(true)}
      onBlur={(event) => setInside(event.currentTarget.contains(event.relatedTarget))}
    >
      <div role="row" className={styles.panelhead} aria-rowindex={1}>
        {columns.map((name) => <div key={name} role="columnheader">{name}</div>)}
      </div>
      <div role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index]!;
          return (
            <div
              key={row.node.id}
              role="row"
              aria-rowindex={index + 2}
              aria-level={(row.distance ?? 0) + 1}
              aria-selected={index === at}
              data-row={index}
              tabIndex={index === at ? 0 : -1}
              className={classes(styles.panelrow, faded(row.node.id) && styles.faded)}
              style={{ top: start, height: rowHeight }}
              onClick={() => onFocus(row.node.id)}
            >
              <Cells row={row} brief={briefs.get(row.node.id)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** What keys do in the table; `at` is the row that has the focus. */
function keysOf(
  { near, onFocus, onChoose }: ImpactPanelProps,
  rows: readonly ImpactRow[],
  at: number,
) {
  return (event: KeyboardEvent) => {
    const row = rows[at];
    if (!row) return;
    const along = (side: "upstream" | "downstream") => near(row.node.id, side)[0];
    const step = (by: number) => rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.node.id;
    const moves: Record<string, () => number | undefined> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      PageDown: () => step(10),
      PageUp: () => step(-10),
      Home: () => rows[0]?.node.id,
      End: () => rows.at(-1)?.node.id,
      ArrowRight: () => along("downstream"),
      ArrowLeft: () => along("upstream"),
    };
    if (event.key === "Enter" && event.target instanceof HTMLAnchorElement) return;
    if (event.key === "Enter" || event.key === " ") onChoose(row.node.id);
    else if (!Object.hasOwn(moves, event.key)) return;
    else {
      const to = moves[event.key]!();
      if (to !== undefined) onFocus(to);
    }
    event.preventDefault();
  };
}

/** Ids in view, in steps of 50 rows, so that scrolling a little asks nothing. */
function useIdsOf(rows: readonly ImpactRow[], indices: number[]): number[] {
  const first = Math.floor((indices[0] ?? 0) / 50) * 50;
  const last = Math.ceil(((indices.at(-1) ?? 0) + 1) / 50) * 50;
  return useMemo(
    () => rows.slice(first, last).filter(({ node }) => !node.hollow).map(({ node }) => node.id),
    [rows, first, last],
  );
}

function Cells({ row, brief }: { row: ImpactRow; brief: Brief | undefined }) {
  const { node } = row;
  const owners = brief?.ownership.map(({ owner }) => owner.name) ?? [];
  return (
    <>
      <div role="gridcell" className={styles.named}>
        <EntityIcon of={node.classes.map((name) => ({ name }))} />
        <Link
          to="/dataentities/$id/overview"
          params={{ id: String(node.id) }}
          className={classes("truncate", node.status === "DELETED" && styles.struck)}
          tabIndex={-1}
        >
          {shown(node.name)}
        </Link>
      </div>
      <div role="gridcell">{distanceText(row)}</div>
      <div role="gridcell" className="truncate">
        {node.hollow ? "Known by name only" : words(node.type ?? node.classes[0] ?? "entity")}
        {node.stale && " · stale"}
        {node.status === "DELETED" && " · deleted"}
      </div>
      <div role="gridcell" className="truncate">{node.source ? shown(node.source.name) : ""}</div>
      <div role="gridcell" className="truncate">{owners.map(shown).join(", ")}</div>
      <div role="gridcell">
        {node.hasAlerts && (
          <span className={styles.alert}>
            <TriangleAlert aria-hidden />Open
          </span>
        )}
      </div>
    </>
  );
}
