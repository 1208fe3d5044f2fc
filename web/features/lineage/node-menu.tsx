import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { type RefCallback, type RefObject, useEffect, useRef } from "react";
import { depths, type Side } from "#web/features/lineage/address.ts";
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

interface FocusMenuProps extends ViewportOverlayProps {
  viewport: GraphViewport;
  box: SceneBox;
  index: number;
  trigger: RefCallback<HTMLButtonElement>;
  /** The drawing, which takes the focus when the menu closes. */
  canvas: RefObject<HTMLCanvasElement | null>;
  onChoose: (of: NeighbourSide) => void;
}

/** What can be done with the box that has the focus; its button stands at the corner of the box. */
export function FocusMenu(props: FocusMenuProps) {
  const { drawing, state, change, setAnchor, viewport, box, index, trigger, canvas } = props;
  const place = usePlaceAt(viewport, index);
  const id = box.members[0]!;
  const single = box.kind === "entity";
  const unfold = (key: string) => {
    setAnchor(box.key);
    change(unfolding(state, key), true);
  };
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
          <MenuItem onClick={() => unfold(box.key)}>
            {/^f[gm]/.test(box.key)
              ? t("lineage.expand", { label: box.label })
              : t("lineage.showAll2", { length: box.members.length })}
          </MenuItem>
        )}
        {single && (
          <EntityItems
            box={box}
            column={columnOf(drawing.cards, state.column, id)}
            onShowMembers={() => unfold(`fg${id}`)}
          />
        )}
        {hasColumns(drawing.model, box) && (
          <MenuItem onClick={() => toggleCard(props, viewport, index)}>
            {state.cards.includes(id) ? t("lineage.hideColumns") : t("lineage.showColumns")}
          </MenuItem>
        )}
        <MenuItem onClick={() => change({ selected: [box.key] }, true)}>
          {t("lineage.showAllPathsThroughIt")}
        </MenuItem>
        <FoldItems
          frames={drawing.scene?.frames.filter(({ boxes }) => boxes.includes(index)) ?? []}
          onFold={(group) => change(folding(state, group), true)}
        />
        {single &&
          (["upstream", "downstream"] as const).map((side) => (
            <SideItems key={side} {...props} side={side} />
          ))}
      </Menu>
    </div>
  );
}

/** Keeps an element at the corner of a box, and hides it where the box is out of view. */
function usePlaceAt(viewport: GraphViewport, index: number): RefObject<HTMLDivElement | null> {
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
  return place;
}

/** Draws one of the groups around the box as one box; `frames` has the outer ones first. */
function FoldItems(
  { frames, onFold }: { frames: readonly SceneFrame[]; onFold: (group: number) => void },
) {
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
function EntityItems(
  { box, column, onShowMembers }: {
    box: SceneBox;
    column: Column | undefined;
    onShowMembers: () => void;
  },
) {
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
  { drawing, state, box, step, onChoose, side }: FocusMenuProps & { side: Side },
) {
  const id = box.members[0]!;
  const paged = pagedOf(box, side);
  const oneMorePage = moreAfter(state.steps, id, side);
  return (
    <>
      <MenuRule />
      <MenuGroup label={side === "upstream" ? t("lineage.upstream") : t("lineage.downstream")}>
        {paged > 0
          ? (
            <>
              <MenuItem onClick={() => step({ kind: "more", id, side, count: oneMorePage })}>
                <Rich
                  of="lineage.showMoreOf"
                  values={{ page: Math.min(neighbourLimit.page, paged), paged }}
                />
              </MenuItem>
              <MenuItem onClick={() => onChoose({ id, side })}>{t("lineage.choose")}</MenuItem>
              <MenuItem onClick={() => step({ kind: "more", id, side, count: everyNeighbour })}>
                {t("lineage.expandAll")}
              </MenuItem>
            </>
          )
          : depths.map((depth) => (
            <MenuItem
              key={depth}
              onClick={() => step({ kind: "open", id, side, depth })}
            >
              {depth === "all" ? t("lineage.expandAll") : t("lineage.hops", { depth })}
            </MenuItem>
          ))}
        {drawing.near(id, side).length > 0 && (
          <MenuItem onClick={() => step({ kind: "close", id, side })}>
            {t("lineage.collapse")}
          </MenuItem>
        )}
      </MenuGroup>
    </>
  );
}
