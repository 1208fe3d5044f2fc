import { Minus, Plus } from "lucide-react";
import { IconButton } from "#web/kit/button.tsx";
import { Keys } from "#web/kit/keys.tsx";
import type { Scene } from "#web/graph/scene.ts";
import type { Change } from "#web/features/lineage/address.ts";
import { Minimap } from "#web/features/lineage/minimap.tsx";
import type { Stage } from "#web/features/lineage/stage.ts";
import { useAddressOfView } from "#web/features/lineage/use-address-of-view.ts";
import styles from "#web/features/lineage/extras.module.css";

const keys = [
  ["← → ↑ ↓", "walk"],
  ["Enter", "what can be done"],
  ["Space", "paths"],
  ["+ − 0", "zoom"],
  ["/", "find"],
] as const;

/** What lies in the corners of a drawing: the small map, the zoom and, while it has the focus, the keys that work there. */
export default function Corners(
  { scene, stage, change }: { scene: Scene; stage: Stage; change: Change },
) {
  useAddressOfView(stage, change);
  return (
    <>
      <Minimap scene={scene} stage={stage} />
      <div className={styles.zoom}>
        <IconButton label="Zoom in" small onClick={() => stage.zoom(1.3)}>
          <Plus />
        </IconButton>
        <IconButton label="Zoom out" small onClick={() => stage.zoom(1 / 1.3)}>
          <Minus />
        </IconButton>
      </div>
      <p className={styles.keys} aria-hidden>
        <Keys of={keys} />
      </p>
    </>
  );
}
