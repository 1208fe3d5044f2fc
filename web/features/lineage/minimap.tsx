import { type PointerEvent, useEffect, useRef } from "react";
import { minimapFrame, minimapPoint, paintMinimap } from "#web/graph/minimap.ts";
import { Painter } from "#web/graph/paint.ts";
import type { Scene } from "#web/graph/scene.ts";
import { seen } from "#web/graph/viewport.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import styles from "#web/features/lineage/extras.module.css";

const size = { width: 176, height: 112 };

/** Whether all of a drawing is in view, so that a map of it would only cover it. */
function sees({ view, size }: GraphViewport, { bounds }: Scene): boolean {
  const { x, y, width, height } = seen(view, size);
  return x <= bounds.x && y <= bounds.y && x + width >= bounds.x + bounds.width &&
    y + height >= bounds.y + bounds.height;
}

/** All of the drawing in small, with a frame around what is seen; a pointer moves the frame. */
export function Minimap({ scene, viewport }: { scene: Scene; viewport: GraphViewport }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const painter = new Painter((data) => new Path2D(data));
    let painted: readonly unknown[] = [];
    const draw = () => {
      const { theme, marks } = viewport;
      if (painted[0] !== theme || painted[1] !== marks?.colour) {
        const brush = canvas.current!.getContext("2d", { alpha: false })!;
        const ratio = Math.min(devicePixelRatio, 2);
        [canvas.current!.width, canvas.current!.height] = [size.width * ratio, size.height * ratio];
        paintMinimap(painter, brush, { scene, theme, size, ratio, colour: marks?.colour });
        painted = [theme, marks?.colour];
      }
      container.current!.hidden = sees(viewport, scene);
      const { x, y, width, height } = minimapFrame(scene, size, viewport.view, viewport.size);
      Object.assign(frame.current!.style, {
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
