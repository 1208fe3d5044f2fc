import type { RefCallback, RefObject } from "react";
import type { SceneBox } from "#web/graph/scene.ts";
import { folding, unfolding } from "#web/features/lineage/folding.ts";
import { columnOf, hasColumns, toggleCard } from "#web/features/lineage/card-state.ts";
import { moreAfter } from "#web/features/lineage/more.ts";
import type { NeighbourSide } from "#web/features/lineage/sides-of-box.ts";
import { NodeMenu } from "#web/features/lineage/node-menu.tsx";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/viewport-overlay.ts";

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
