import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Marked } from "#web/graph/marks.ts";
import { Stage } from "#web/features/lineage/stage.ts";
import type { StageEvents } from "#web/features/lineage/stage-events.ts";
import type { Viewport } from "#web/graph/viewport.ts";
import type { Arrival } from "#web/features/lineage/use-scene.ts";
import styles from "#web/features/lineage/lineage.module.css";

export interface CanvasProps extends StageEvents {
  canvas: RefObject<HTMLCanvasElement | null>;
  label: string;
  arrival: Arrival | null;
  /** Whether what is drawn is about to be replaced. */
  busy: boolean;
  marked: Marked;
  /** Index of the box that has the focus, -1 for none. */
  focus: number;
  /** What is seen at first. */
  view: Viewport | null;
  onKeyDown: (event: KeyboardEvent) => void;
  onStage: (stage: Stage | null) => void;
  children?: ReactNode;
}

/** The drawing, as an element of the page: it takes the focus, and says by its label how it is used. */
export function LineageCanvas(props: CanvasProps) {
  const { canvas, label, arrival, busy, marked, focus, view, onKeyDown, onStage, children } = props;
  const stage = useRef<Stage | null>(null);
  const events = useRef<StageEvents>(props);
  events.current = props;
  useEffect(() => {
    const made = new Stage(canvas.current!, {
      onPick: (hit, how) => events.current.onPick(hit, how),
      onHover: (hit) => events.current.onHover(hit),
    });
    stage.current = made;
    onStage(made);
    return () => {
      made.end();
      stage.current = null;
      onStage(null);
    };
  }, []);
  useEffect(() => {
    if (arrival) stage.current?.show(arrival, view);
  }, [arrival]);
  useEffect(() => stage.current?.mark(marked), [marked, arrival]);
  useEffect(() => stage.current?.focus(focus), [focus, arrival]);
  return (
    <div className={styles.stage}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        tabIndex={0}
        role="application"
        aria-roledescription="lineage"
        aria-label={label}
        aria-busy={busy}
        onKeyDown={onKeyDown}
      />
      {children}
    </div>
  );
}
