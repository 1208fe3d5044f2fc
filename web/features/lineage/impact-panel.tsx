import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { TriangleAlert } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { classes } from "#web/kit/classes.ts";
import { words } from "#web/kit/numbers.ts";
import { useDebounced } from "#web/kit/field.tsx";
import { EntityIcon } from "#web/components/entity-link.tsx";
import type { ImpactRow } from "#web/graph/export/impact.ts";
import type { Cards } from "#web/graph/scene-parts.ts";
import type { Model } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import type { Side } from "#web/features/lineage/address.ts";
import { isDataset, toggled } from "#web/features/lineage/card-state.ts";
import { type Filters, matches } from "#web/features/lineage/highlight.ts";
import { distanceText } from "#web/features/lineage/impact-rows.ts";
import { type Brief, useBriefs, useImpact } from "#web/features/lineage/impact-list.ts";
import { ImpactSummary } from "#web/features/lineage/impact-summary.tsx";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/panel.module.css";
import { t } from "#web/messages/text.ts";

const CardColumns = lazyComponent(() =>
  import("#web/features/lineage/card-columns.tsx").then((all) => all.CardColumns)
);

interface ImpactPanelProps extends Pick<ViewportOverlayProps, "state" | "change" | "setAnchor"> {
  cards: Cards | null;
  model: Model;
  roots: readonly number[];
  /** Entities of the box that has the focus in the drawing; null while none has it. */
  focus: readonly number[] | null;
  filters: Filters;
  onFocus: (id: number) => void;
  onChoose: (id: number) => void;
  /** Ids of the direct neighbours that are loaded. */
  near: (id: number, side: Side) => number[];
}

const columns = () => [
  "Distance",
  t("lineage.kind"),
  t("lineage.source"),
  t("kit.owners"),
  t("lineage.alerts"),
  t("kit.columns"),
];
const rowHeight = 34;

/** As tables what the drawing is about: its entities, whatever it folds of them, and the columns of its opened cards. */
export default function ImpactPanel(props: ImpactPanelProps) {
  const { state, change, cards, model, roots } = props;
  const [root] = roots;
  const hasSummary = roots.length === 1 && state.asOf === null;
  return (
    <div className={styles.withsummary}>
      {hasSummary && <ImpactSummary id={root!} name={model.nodes.get(root!)?.name ?? ""} />}
      {state.cards.length === 0 ? <Entities {...props} /> : (
        <div className={styles.panels}>
          <Entities {...props} />
          <CardColumns {...{ state, change, cards, model }} />
        </div>
      )}
    </div>
  );
}

/** Entities by distance: up and down go along the table, right and left along lines as in the drawing. */
function Entities(props: ImpactPanelProps) {
  const { model, roots, state, filters } = props;
  const { impact: { rows, complete }, pending } = useImpact(roots, state);
  const frame = useRef<HTMLDivElement>(null);
  const [at, onFocus] = useRowFocus(rows, props);
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
  // Far rows are there only after scrolling to them.
  const isThere = items.some(({ index }) => index === at);
  useEffect(() => {
    virtual.scrollToIndex(at, { align: "auto" });
    if (inside) frame.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus();
  }, [at, inside, isThere]);
  const onKeyDown = keysOf({ ...props, onFocus }, rows, at);
  return (
    <div
      ref={frame}
      className={styles.panel}
      role="treegrid"
      aria-label={t("lineage.assetsByDistance")}
      aria-rowcount={rows.length + 1}
      aria-busy={pending}
      onKeyDown={onKeyDown}
      onFocus={() => setInside(true)}
      onBlur={(event) => setInside(event.currentTarget.contains(event.relatedTarget))}
    >
      <Head complete={complete} />
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
              className={classes(styles.panelrow, !matches(row.node, filters) && styles.faded)}
              style={{ top: start, height: rowHeight }}
              onClick={() => onFocus(row.node.id)}
              aria-keyshortcuts={isDataset(model, row.node.id) ? "f" : undefined}
            >
              <Cells row={row} brief={briefs.get(row.node.id)} card={cardOf(props, row)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The names of the columns; the first one says when rows may be missing. */
function Head({ complete }: { complete: boolean }) {
  const why = t("lineage.serverReachedItsLimit");
  return (
    <div role="row" className={styles.panelhead} aria-rowindex={1}>
      <div role="columnheader" title={complete ? undefined : why}>
        {complete ? t("kit.name") : t("lineage.namePartialList")}
      </div>
      {columns().map((name) => <div key={name} role="columnheader">{name}</div>)}
    </div>
  );
}

/** What keys do in the table; `at` is the row that has the focus. */
function keysOf(props: ImpactPanelProps, rows: readonly ImpactRow[], at: number) {
  const { near, onFocus, onChoose } = props;
  return (event: KeyboardEvent) => {
    const row = rows[at];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const along = (side: Side) => near(row.node.id, side)[0];
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
    const isControl = event.target instanceof Element && event.target.closest("a, button");
    if (isControl && (event.key === "Enter" || event.key === " ")) return;
    if (event.key.toLowerCase() === "f") cardOf(props, row)?.toggle();
    else if (event.key === "Enter" || event.key === " ") onChoose(row.node.id);
    else if (!Object.hasOwn(moves, event.key)) return;
    else {
      const to = moves[event.key]!();
      if (to !== undefined) onFocus(to);
    }
    event.preventDefault();
  };
}

/** The card of a row's dataset; undefined for what has no columns. */
function cardOf({ model, state, change, setAnchor }: ImpactPanelProps, { node }: ImpactRow) {
  if (!isDataset(model, node.id)) return undefined;
  return {
    open: state.cards.includes(node.id),
    toggle: () => {
      setAnchor(`e${node.id}`);
      change(toggled(state, node.id), true);
    },
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

function Cells(
  { row, brief, card }: {
    row: ImpactRow;
    brief: Brief | undefined;
    card: ReturnType<typeof cardOf>;
  },
) {
  const { node } = row;
  const dataset = shown(node.name);
  const owners = brief?.ownership.map(({ owner }) => shown(owner.name)) ?? [];
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
          {dataset}
        </Link>
      </div>
      <div role="gridcell">{distanceText(row)}</div>
      <div role="gridcell" className="truncate">
        {node.hollow
          ? t("lineage.knownByNameOnly")
          : words(node.type ?? node.classes[0] ?? "entity")}
        {node.stale && t("lineage.stale")}
        {node.status === "DELETED" && t("lineage.deleted")}
      </div>
      <div role="gridcell" className="truncate">{node.source ? shown(node.source.name) : ""}</div>
      <div role="gridcell" className="truncate">{owners.join(", ")}</div>
      <div role="gridcell">
        {node.hasAlerts && (
          <span className={styles.alert}>
            <TriangleAlert aria-hidden />
            {t("lineage.open")}
          </span>
        )}
      </div>
      <div role="gridcell">
        {card && (
          <Button
            variant="quiet"
            small
            tabIndex={-1}
            aria-label={card.open
              ? t("lineage.hideColumnsOf", { dataset })
              : t("lineage.showColumnsOf", { dataset })}
            onClick={card.toggle}
          >
            {card.open ? t("lineage.hide") : t("lineage.show")}
          </Button>
        )}
      </div>
    </>
  );
}

/**
 * The place of the row that has the focus. It follows the drawing, where one box may stand for several entities, and
 * stays where the drawing shows none for its entity.
 */
function useRowFocus(
  rows: readonly ImpactRow[],
  { focus, onFocus }: ImpactPanelProps,
): [at: number, onFocus: (id: number) => void] {
  const indexes = useMemo(() => new Map(rows.map(({ node }, at) => [node.id, at])), [rows]);
  const [own, setOwn] = useState<number | null>(null);
  const stays = own !== null && (focus === null || focus.includes(own));
  const focused = stays ? own : focus?.[0];
  return [indexes.get(focused ?? -1) ?? 0, (id) => {
    setOwn(id);
    onFocus(id);
  }];
}
