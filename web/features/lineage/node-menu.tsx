import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { type RefCallback, type RefObject, useEffect, useRef } from "react";
import { depths, type Side, type Step } from "#web/features/lineage/address.ts";
import { columnOf, hasColumns, toggleCard } from "#web/features/lineage/card-state.ts";
import {
  everyNeighbour,
  folding,
  moreAfter,
  type NeighbourSide,
  pagedOf,
  unfolding,
} from "#web/features/lineage/expanding.ts";
import styles from "#web/features/lineage/extras.module.css";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import type { Column } from "#web/graph/cards/content.ts";
import type { SceneFrame } from "#web/graph/frames.ts";
import { neighbourLimit } from "#web/graph/neighbours.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import { shown } from "#web/graph/text.ts";
import { buttonClass } from "#web/kit/button.tsx";
import { Menu, MenuGroup, MenuItem, MenuRule } from "#web/kit/menu.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

/** The menu of the box that has the focus. */
export function FocusMenu(
  props:
    & ViewportOverlayProps
    & {
      viewport: GraphViewport;
      box: SceneBox;
      index: number;
      trigger: RefCallback<HTMLButtonElement>;
      canvas: RefObject<HTMLCanvasElement | null>;
      onChoose: (of: NeighbourSide) => void;
    },
) {
  const { drawing, state, change, step, setAnchor, viewport, box, index, trigger, canvas } = props;
  const { onChoose } = props;
  const id = box.members[0]!;
  const unfold = (key: string) => {
    setAnchor(box.key);
    change(unfolding(state, key), true);
  };
  return (
    <NodeMenu
      {...{ viewport, box, index, trigger, canvas, onChoose }}
      more={(side) => moreAfter(state.steps, id, side)}
      loaded={{
        upstream: drawing.near(id, "upstream").length,
        downstream: drawing.near(id, "downstream").length,
      }}
      onStep={step}
      onPath={() => change({ selected: [box.key] }, true)}
      columns={hasColumns(drawing.model, box)
        ? {
          open: state.cards.includes(id),
          toggle: () => toggleCard(props, viewport, index),
        }
        : undefined}
      column={columnOf(drawing.cards, state.column, id)}
      onUnfold={() => unfold(box.key)}
      frames={drawing.scene?.frames.filter(({ boxes }) => boxes.includes(index)) ?? []}
      onFold={(group) => change(folding(state, group), true)}
      onShowMembers={() => unfold(`fg${id}`)}
    />
  );
}

interface NodeMenuProps {
  viewport: GraphViewport;
  box: SceneBox;
  index: number;
  /** Direct neighbours that are loaded, by side. */
  loaded: Record<Side, number>;
  trigger: RefCallback<HTMLButtonElement>;
  /** The drawing, which takes the focus when the menu closes. */
  canvas: RefObject<HTMLCanvasElement | null>;
  onStep: (step: Step) => void;
  onChoose: (of: NeighbourSide) => void;
  /** How many neighbors beyond the first ones are drawn after one more page of them. */
  more: (side: Side) => number;
  onUnfold: () => void;
  /** The frames around the box, the outer ones first. */
  frames: readonly SceneFrame[];
  onFold: (group: number) => void;
  onShowMembers: () => void;
  onPath: () => void;
  /** Opens and closes its card; undefined for what has no columns. */
  columns?: { open: boolean; toggle: () => void };
  /** The chosen column, if it is one of this box. */
  column?: Column;
}

/** What can be done with the box that has the focus; its button stands at the corner of the box. */
function NodeMenu(props: NodeMenuProps) {
  const { viewport, box, index, loaded, trigger, canvas, columns, frames } = props;
  const { onStep, onUnfold, onFold, onPath, onChoose, more } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const put = () => {
      const rect = viewport.onScreen(index);
      if (!rect || !place.current) return;
      place.current.style.transform = `translate(${rect.x + rect.width - 26}px, ${rect.y - 14}px)`;
      place.current.hidden = rect.x + rect.width < 0 || rect.y < -20 ||
        rect.x > viewport.size.width || rect.y > viewport.size.height;
    };
    put();
    return viewport.subscribe(put);
  }, [viewport, index]);
  const id = box.members[0]!;
  const single = box.kind === "entity";
  return (
    <div ref={place} className={styles.nodemenu}>
      <Menu
        focusAfter={canvas}
        trigger={
          <button
            ref={trigger}
            type="button"
            className={buttonClass({ small: true }, true)}
            aria-label={t("lineage.actionsFor", { label: box.label })}
          >
            <Ellipsis aria-hidden />
          </button>
        }
      >
        {!single && (
          <MenuItem onClick={onUnfold}>
            {/^f[gm]/.test(box.key)
              ? t("lineage.expand", { label: box.label })
              : t("lineage.showAll2", { length: box.members.length })}
          </MenuItem>
        )}
        {single && <EntityItems {...props} />}
        {columns && (
          <MenuItem onClick={columns.toggle}>
            {columns.open ? t("lineage.hideColumns") : t("lineage.showColumns")}
          </MenuItem>
        )}
        <MenuItem onClick={onPath}>{t("lineage.showAllPathsThroughIt")}</MenuItem>
        <FoldItems frames={frames} onFold={onFold} />
        {single && (["upstream", "downstream"] as const).map((side) => (
          <SideItems
            key={side}
            {...{ side, id, onStep, onChoose }}
            paged={pagedOf(box, side)}
            loaded={loaded[side]}
            more={more(side)}
          />
        ))}
      </Menu>
    </div>
  );
}

/** Draws one of the groups around the box as one box. */
function FoldItems({ frames, onFold }: Pick<NodeMenuProps, "frames" | "onFold">) {
  return frames.toReversed().map(({ group, name }) => (
    <MenuItem
      key={group}
      onClick={() => onFold(group)}
    >
      <Rich of="lineage.collapse2" values={{ name }} />
    </MenuItem>
  ));
}

/** Where one entity leads to, and its chosen column. */
function EntityItems({ box, column, onShowMembers }: NodeMenuProps) {
  const navigate = useNavigate();
  const go = (to: string, search?: object) =>
    void navigate({ to, params: { id: String(box.members[0]!) }, search } as never);
  return (
    <>
      <MenuItem onClick={() => go("/dataentities/$id/overview")}>{t("lineage.openPage")}</MenuItem>
      <MenuItem onClick={() => go("/dataentities/$id/lineage")}>
        {t("lineage.focusOnThis")}
      </MenuItem>
      {box.alerts > 0 && (
        <MenuItem onClick={() => go("/dataentities/$id/alerts")}>
          {t("lineage.showAlerts")}
        </MenuItem>
      )}
      {box.colour === "DATA_ENTITY_GROUP" && (
        <MenuItem onClick={onShowMembers}>{t("lineage.showMembers")}</MenuItem>
      )}
      {column?.field != null && (
        <MenuItem
          onClick={() => go("/dataentities/$id/structure", { field: String(column.field) })}
        >
          <Rich of="lineage.impactOf2" values={{ name: shown(column.name) }} />
        </MenuItem>
      )}
    </>
  );
}

function SideItems(
  { side, id, paged, loaded, more, onStep, onChoose }: {
    side: Side;
    id: number;
    /** Neighbors that are loaded and left out. */
    paged: number;
    loaded: number;
    more: number;
    onStep: (step: Step) => void;
    onChoose: (of: NeighbourSide) => void;
  },
) {
  const name = side === "upstream" ? "Upstream" : "Downstream";
  return (
    <>
      <MenuRule />
      <MenuGroup label={name}>
        {paged > 0
          ? (
            <>
              <MenuItem onClick={() => onStep({ kind: "more", id, side, count: more })}>
                <Rich
                  of="lineage.showMoreOf"
                  values={{ page: Math.min(neighbourLimit.page, paged), paged }}
                />
              </MenuItem>
              <MenuItem onClick={() => onChoose({ id, side })}>{t("lineage.choose")}</MenuItem>
              <MenuItem
                onClick={() => onStep({ kind: "more", id, side, count: everyNeighbour })}
              >
                {t("lineage.expandAll")}
              </MenuItem>
            </>
          )
          : depths.map((depth) => (
            <MenuItem
              key={depth}
              onClick={() => onStep({ kind: "open", id, side, depth })}
            >
              {depth === "all" ? t("lineage.expandAll") : t("lineage.hops", { depth })}
            </MenuItem>
          ))}
        {loaded > 0 && (
          <MenuItem onClick={() => onStep({ kind: "close", id, side })}>
            {t("lineage.collapse")}
          </MenuItem>
        )}
      </MenuGroup>
    </>
  );
}
