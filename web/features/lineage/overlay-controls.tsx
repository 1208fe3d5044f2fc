import { Fullscreen, LocateFixed, Maximize, Minus, Plus } from "lucide-react";
import type { RefObject } from "react";
import { IconButton } from "#web/kit/button.tsx";
import { Keys } from "#web/kit/keys.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { toast } from "#web/kit/toast.tsx";
import { type CardKeysProps, useCardKeys } from "#web/features/lineage/card-keys.ts";
import { Legend } from "#web/features/lineage/legend.tsx";
import type { ViewportOverlayProps } from "#web/features/lineage/viewport-overlay.ts";
import { Minimap } from "#web/features/lineage/minimap.tsx";
import { useAddressOfView } from "#web/features/lineage/use-address-of-view.ts";
import styles from "#web/features/lineage/extras.module.css";
import { t } from "#web/messages/text.ts";

const OpenedCards = lazyComponent(() =>
  import("#web/features/lineage/opened-cards.tsx").then((all) => all.OpenedCards)
);

const keys = () => ([
  ["← → ↑ ↓", t("lineage.keyWalk")],
  ["Enter", t("lineage.whatCanBeDone")],
  ["Space", t("lineage.keyPaths")],
  ["F", t("lineage.keyColumns")],
  ["J K", t("lineage.walkThem")],
  ["+ − 0", t("lineage.keyZoom")],
  ["/", t("lineage.keyFind")],
] as const);

/** Smaller drawings are seen at a glance. */
const minimapFrom = 12;

/** What lies in the corners of a drawing: the small map, the zoom and, while it has the focus, the keys that work there. */
export default function OverlayControls(
  props: CardKeysProps & ViewportOverlayProps & { canvas: RefObject<HTMLCanvasElement | null> },
) {
  const { scene, viewport, change, state, canvas } = props;
  useAddressOfView(viewport, scene, change);
  useCardKeys(props);
  return (
    <>
      {state.cards.length > 0 && <OpenedCards {...props} />}
      <Legend {...props} />
      {scene.boxes.length >= minimapFrom && <Minimap scene={scene} viewport={viewport} />}
      <div className={styles.zoom}>
        <IconButton label={t("lineage.zoomIn")} small onClick={() => viewport.zoom(1.3)}>
          <Plus />
        </IconButton>
        <IconButton label={t("lineage.zoomOut")} small onClick={() => viewport.zoom(1 / 1.3)}>
          <Minus />
        </IconButton>
        <IconButton label={t("lineage.fitToView")} small onClick={() => viewport.fit()}>
          <Maximize />
        </IconButton>
        <IconButton label={t("lineage.center")} small onClick={() => viewport.center()}>
          <LocateFixed />
        </IconButton>
        <IconButton
          label={t("lineage.fullScreen")}
          small
          onClick={() => toggleFullScreen(canvas.current)}
        >
          <Fullscreen />
        </IconButton>
      </div>
      <p className={styles.keys} aria-hidden>
        <Keys of={keys()} />
      </p>
    </>
  );
}

/** Shows the stage of a drawing with its controls on the whole screen, or ends that. */
function toggleFullScreen(canvas: HTMLCanvasElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else {
    canvas?.parentElement?.requestFullscreen().catch(() =>
      toast(t("lineage.noFullScreen"), { tone: "bad" })
    );
  }
}
