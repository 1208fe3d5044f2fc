import { Minus, Plus } from "lucide-react";
import { IconButton } from "#web/kit/button.tsx";
import { Keys } from "#web/kit/keys.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { type CardKeysProps, useCardKeys } from "#web/features/lineage/card-keys.ts";
import { Minimap } from "#web/features/lineage/minimap.tsx";
import { useAddressOfView } from "#web/features/lineage/use-address-of-view.ts";
import styles from "#web/features/lineage/extras.module.css";

const OpenedCards = lazyComponent(() =>
  import("#web/features/lineage/opened-cards.tsx").then((all) => all.OpenedCards)
);

const keys = [
  ["← → ↑ ↓", "walk"],
  ["Enter", "what can be done"],
  ["Space", "paths"],
  ["F", "columns"],
  ["J K", "walk them"],
  ["+ − 0", "zoom"],
  ["/", "find"],
] as const;

/** What lies in the corners of a drawing: the small map, the zoom and, while it has the focus, the keys that work there. */
export default function OverlayControls(props: CardKeysProps) {
  const { scene, viewport, change, state } = props;
  useAddressOfView(viewport, scene, change);
  useCardKeys(props);
  return (
    <>
      {state.cards.length > 0 && <OpenedCards {...props} />}
      <Minimap scene={scene} viewport={viewport} />
      <div className={styles.zoom}>
        <IconButton label="Zoom in" small onClick={() => viewport.zoom(1.3)}>
          <Plus />
        </IconButton>
        <IconButton label="Zoom out" small onClick={() => viewport.zoom(1 / 1.3)}>
          <Minus />
        </IconButton>
      </div>
      <p className={styles.keys} aria-hidden>
        <Keys of={keys} />
      </p>
    </>
  );
}
