import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import type { Step } from "#web/features/lineage/address.ts";
import type { NeighbourSide } from "#web/features/lineage/expanding.ts";
import { GraphViewport, type ViewportEvents } from "#web/features/lineage/graph-viewport.ts";
import { useLater } from "#web/features/lineage/hooks.ts";
import styles from "#web/features/lineage/lineage.module.css";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import type { Arrival } from "#web/features/lineage/use-scene.ts";
import type { MarkedElements } from "#web/graph/marks.ts";
import type { Hit } from "#web/graph/pick.ts";
import type { Viewport } from "#web/graph/viewport.ts";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { t } from "#web/messages/text.ts";

// The box that has the focus is needed first, then what can be done with it.
const NoDrawing = lazyComponent(() =>
  import("#web/features/lineage/no-drawing.tsx").then((all) => all.NoDrawing)
);
const FocusMenu = lazyComponent(() =>
  import("#web/features/lineage/node-menu.tsx").then((all) => all.FocusMenu)
);
const HoverCard = lazyComponent(() =>
  import("#web/features/lineage/hover-card.tsx").then((all) => all.HoverCard)
);
const Chooser = lazyComponent(() =>
  import("#web/features/lineage/chooser.tsx").then((all) => all.Chooser)
);
const OverlayControls = lazyComponent(() =>
  import("#web/features/lineage/overlay-controls.tsx").then((all) => all.default)
);

const loadPicking = () => import("#web/features/lineage/picking.ts");

/** The drawing with what lies above it: small map, zoom, menu of a box, what is under the pointer. */
export function ViewportOverlays(props: ViewportOverlayProps) {
  const { drawing, state, viewport, title, focus, setViewport } = props;
  const { scene, keyboardNavigation, drawn, marked } = drawing;
  const [hover, setHover] = useState<Hit | null>(null);
  const menu = useMenuButton();
  const canvas = useRef<HTMLCanvasElement>(null);
  const at = focus === null ? -1 : scene?.indexOf.get(focus) ?? -1;
  const [choosing, setChoosing] = useState<NeighbourSide | null>(null);
  const picking = useLater(loadPicking, scene !== null);
  useMissingPaths(props);
  const given = { ...props, onChoose: setChoosing };
  const onKeyDown = (event: KeyboardEvent) => picking?.pressed(event, given, at, menu.open);
  const box = at >= 0 ? scene?.boxes[at] : undefined;
  return (
    <LineageCanvas
      canvas={canvas}
      label={t("lineage.drawingLabel", { title })}
      arrival={drawn.arrival}
      busy={drawing.drawnAs !== "nothing" &&
        (drawn.view !== drawing.view ||
          (scene !== null && (scene.cards !== drawing.cards || !keyboardNavigation || !picking)))}
      marked={marked}
      focus={at}
      view={state.view}
      onPick={(hit, how) => picking?.picked(given, hit, how)}
      onHover={setHover}
      onKeyDown={onKeyDown}
      onViewport={setViewport}
    >
      {viewport && scene && <OverlayControls {...{ ...props, viewport, scene, canvas }} />}
      {viewport && box && (
        <FocusMenu
          {...given}
          viewport={viewport}
          box={box}
          index={at}
          trigger={menu.button}
          canvas={canvas}
        />
      )}
      {choosing && <Chooser {...props} of={choosing} onClose={() => setChoosing(null)} />}
      {hover && <HoverCard drawing={drawing} hit={hover} />}
      <NoDrawing {...props} />
      <p className="visually-hidden" role="status">
        {box ? keyboardNavigation?.spoken(at) : ""}
      </p>
      {drawing.busy && <div className={styles.busy} />}
    </LineageCanvas>
  );
}

/** The button of the menu, which is pressed as soon as it is there. */
function useMenuButton() {
  const there = useRef<HTMLButtonElement | null>(null);
  const wanted = useRef(false);
  const button = useCallback((element: HTMLButtonElement | null) => {
    there.current = element;
    if (!element || !wanted.current) return;
    wanted.current = false;
    element.click();
  }, []);
  const open = () => {
    wanted.current = there.current === null;
    there.current?.click();
  };
  return { button, open };
}

/** Reads the ways between two chosen boxes, where the drawing has none. */
function useMissingPaths({ drawing, state, step }: ViewportOverlayProps): void {
  const { view, highlight } = drawing;
  useEffect(() => {
    // The service knows no paths of the past.
    if (state.asOf !== null) return;
    const [first, second] = state.selected.map((key) =>
      view.nodes.find((node) => node.key === key)
    );
    if (!first || !second || drawing.pending || highlight?.boxes.size !== 0) return;
    const pathStep: Step = { kind: "paths", id: first.members[0]!, to: second.members[0]! };
    const known = state.steps.some((one) =>
      one.kind === "paths" && one.id === pathStep.id && one.to === pathStep.to
    );
    if (!known) step(pathStep);
  }, [state.selected.join("~"), highlight]);
}

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
function LineageCanvas(props: CanvasProps) {
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
