import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { MarkedElements } from "#web/graph/marks.ts";
import { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import type { ViewportEvents } from "#web/features/lineage/viewport-events.ts";
import type { Viewport } from "#web/graph/viewport.ts";
import type { Arrival } from "#web/features/lineage/use-scene.ts";
import styles from "#web/features/lineage/lineage.module.css";
import { t } from "#web/messages/text.ts";

interface CanvasProps extends ViewportEvents {
  canvas: RefObject<HTMLCanvasElement | null>;
  label: string;
  arrival: Arrival | null;
  /** Whether what is drawn is about to be replaced. */
  busy: boolean;
  marked: MarkedElements;
  /** Index of the box that has the focus, -1 for none. */
  focus: number;
  /** What is shown at first. */
  view: Viewport | null;
  onKeyDown: (event: KeyboardEvent) => void;
  onViewport: (viewport: GraphViewport | null) => void;
  children?: ReactNode;
}

/** The drawing, as an element of the page: it takes the focus, and says by its label how it is used. */
export function LineageCanvas(props: CanvasProps) {
  const { canvas, label, arrival, busy, marked, focus, view, onKeyDown, onViewport, children } =
    props;
  const viewport = useRef<GraphViewport | null>(null);
  const events = useRef<ViewportEvents>(props);
  events.current = props;
  useEffect(() => {
    const made = new GraphViewport(canvas.current!, {
      onPick: (hit, how) => events.current.onPick(hit, how),
      onHover: (hit) => events.current.onHover(hit),
    });
    viewport.current = made;
    onViewport(made);
    return () => {
      made.end();
      viewport.current = null;
      onViewport(null);
    };
  }, []);
  useEffect(() => {
    if (arrival) viewport.current?.show(arrival, view);
  }, [arrival]);
  useEffect(() => viewport.current?.mark(marked), [marked, arrival]);
  useEffect(() => viewport.current?.focus(focus), [focus, arrival]);
  return (
    <div className={styles.stage}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        tabIndex={0}
        role="application"
        aria-roledescription={t("lineage.lineage")}
        aria-label={label}
        aria-busy={busy}
        onKeyDown={onKeyDown}
      />
      {children}
    </div>
  );
}
