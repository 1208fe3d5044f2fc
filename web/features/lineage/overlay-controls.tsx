import { Fullscreen, LocateFixed, Maximize, Minus, Plus } from "lucide-react";
import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { IconButton } from "#web/kit/button.tsx";
import { Keys } from "#web/kit/keys.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { toast } from "#web/kit/toast.ts";
import { Legend } from "#web/features/lineage/legend.tsx";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import { hasColumns, toggleCard } from "#web/features/lineage/card-state.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import { originOf } from "#web/features/lineage/opening.ts";
import type { Change } from "#web/features/lineage/address.ts";
import styles from "#web/features/lineage/extras.module.css";
import { t } from "#web/messages/text.ts";
import type { Scene } from "#web/graph/scene.ts";
import { covers } from "#web/graph/geometry.ts";
import { minimapFrame, minimapPoint, paintMinimap } from "#web/graph/minimap.ts";
import { Painter } from "#web/graph/paint.ts";
import { seen } from "#web/graph/viewport.ts";

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
export default function OverlayControls(props: CardKeysProps) {
  const { scene, viewport, change, state, canvas } = props;
  useAddressOfView(viewport, scene, change);
  useCardKeys(props);
  const buttons = [
    [t("lineage.zoomIn"), Plus, () => viewport.zoom(1.3)],
    [t("lineage.zoomOut"), Minus, () => viewport.zoom(1 / 1.3)],
    [t("lineage.fitToView"), Maximize, () => viewport.fit()],
    [t("lineage.center"), LocateFixed, () => viewport.center()],
    [t("lineage.fullScreen"), Fullscreen, () => toggleFullScreen(canvas.current)],
  ] as const;
  return (
    <>
      {state.cards.length > 0 && <OpenedCards {...props} />}
      <Legend {...props} />
      {scene.boxes.length >= minimapFrom && <Minimap scene={scene} viewport={viewport} />}
      <div className={styles.zoom}>
        {buttons.map(([label, Icon, onClick]) => (
          <IconButton key={label} label={label} small onClick={onClick}>
            <Icon />
          </IconButton>
        ))}
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

type CardKeysProps = ViewportOverlayProps & {
  viewport: GraphViewport;
  scene: Scene;
  canvas: RefObject<HTMLCanvasElement | null>;
};

/** Keys of the drawing that are about columns: `f` opens and closes the card of a box, `j` and `k` walk its columns. */
function useCardKeys(props: CardKeysProps): void {
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const canvas = props.canvas.current!;
    const pressed = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (onKey(latest.current, event.key.toLowerCase())) event.preventDefault();
    };
    canvas.addEventListener("keydown", pressed);
    return () => canvas.removeEventListener("keydown", pressed);
  }, []);
}

/** Whether the key meant something here. */
function onKey(props: CardKeysProps, key: string): boolean {
  const { drawing, scene, viewport, focus } = props;
  const index = scene.indexOf.get(focus ?? "");
  if (index === undefined || !hasColumns(drawing.model, scene.boxes[index]!)) return false;
  if (key === "f") toggleCard(props, viewport, index);
  else if (key === "j" || key === "k") walk(props, scene.boxes[index]!.members[0]!, key === "j");
  else return false;
  return true;
}

/** Chooses the next column of a card, or the one before; from the last on to the first. */
function walk({ drawing, state, change }: CardKeysProps, id: number, on: boolean): void {
  const columns = drawing.cards?.content.cards.find(({ dataset }) => dataset === id)?.columns ?? [];
  if (columns.length === 0) return;
  const at = columns.findIndex(({ key }) => key === state.column);
  const next = at < 0 ? (on ? 0 : columns.length - 1) : at + (on ? 1 : columns.length - 1);
  change({ column: columns[next % columns.length]!.key, selected: [] });
}

/** Writes what is seen to the address once it has come to rest. */
function useAddressOfView(viewport: GraphViewport, scene: Scene, change: Change): void {
  const latest = useRef({ change, scene });
  latest.current = { change, scene };
  useEffect(() => {
    let [timer, last] = [undefined as ReturnType<typeof setTimeout> | undefined, viewport.view];
    const end = viewport.subscribe(() => {
      if (viewport.view === last || viewport.untouched) return;
      last = viewport.view;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { change, scene } = latest.current;
        const { x, y } = originOf(scene);
        change({ view: { ...viewport.view, x: viewport.view.x - x, y: viewport.view.y - y } });
      }, 500);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [viewport]);
}

const size = { width: 176, height: 112 };

/** All of the drawing in small, with a frame around what is seen; a pointer moves the frame. */
function Minimap({ scene, viewport }: { scene: Scene; viewport: GraphViewport }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const painter = new Painter((data) => new Path2D(data));
    let painted: readonly unknown[] = [];
    const draw = () => {
      // React clears the refs before it ends the subscription.
      if (!canvas.current || !container.current || !frame.current) return;
      const { theme, marks } = viewport;
      if (painted[0] !== theme || painted[1] !== marks?.colour) {
        const brush = canvas.current.getContext("2d", { alpha: false })!;
        const ratio = Math.min(devicePixelRatio, 2);
        [canvas.current.width, canvas.current.height] = [size.width * ratio, size.height * ratio];
        paintMinimap(painter, brush, { scene, theme, size, ratio, colour: marks?.colour });
        painted = [theme, marks?.colour];
      }
      // Where all of the drawing is in view a map of it would only cover it.
      container.current.hidden = covers(seen(viewport.view, viewport.size), scene.bounds);
      const { x, y, width, height } = minimapFrame(scene, size, viewport.view, viewport.size);
      Object.assign(frame.current.style, {
        transform: `translate(${x}px, ${y}px)`,
        width: `${width}px`,
        height: `${height}px`,
      });
    };
    draw();
    return viewport.subscribe(draw);
  }, [scene, viewport]);
  const move = (event: PointerEvent) => {
    if (event.type === "pointermove" && event.buttons === 0) return;
    const { left, top } = canvas.current!.getBoundingClientRect();
    const point = minimapPoint(scene, size, { x: event.clientX - left, y: event.clientY - top });
    viewport.jump(point);
  };
  return (
    <div
      ref={container}
      className={styles.minimap}
      aria-hidden
      onPointerDown={move}
      onPointerMove={move}
    >
      <canvas ref={canvas} />
      <div ref={frame} className={styles.frame} />
    </div>
  );
}
