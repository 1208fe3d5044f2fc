import type { RefCallback, RefObject } from "react";
import type { SceneBox } from "#web/graph/scene.ts";
import { unfolding } from "#web/features/lineage/address.ts";
import { NodeMenu } from "#web/features/lineage/node-menu.tsx";
import type { Stage } from "#web/features/lineage/stage.ts";
import type { StageRoomProps } from "#web/features/lineage/room.ts";

/** The menu of the box that has the focus. */
export function FocusMenu(
  { drawing, state, change, step, setAnchor, stage, box, index, trigger, canvas }:
    & StageRoomProps
    & {
      stage: Stage;
      box: SceneBox;
      index: number;
      trigger: RefCallback<HTMLButtonElement>;
      canvas: RefObject<HTMLCanvasElement | null>;
    },
) {
  const id = box.members[0]!;
  const unfold = (key: string) => {
    setAnchor(box.key);
    change(unfolding(state, key, box.members), true);
  };
  return (
    <NodeMenu
      {...{ stage, box, index, trigger, canvas }}
      loaded={{
        upstream: drawing.near(id, "upstream").length,
        downstream: drawing.near(id, "downstream").length,
      }}
      onStep={step}
      onPath={() => change({ selected: [box.key] }, true)}
      onUnfold={() => unfold(box.key)}
      onShowMembers={() => unfold(`fg${id}`)}
    />
  );
}
