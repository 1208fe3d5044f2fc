import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Step } from "#web/features/lineage/address.ts";
import type { NeighbourSide } from "#web/features/lineage/expanding.ts";
import { GraphViewport, type ViewportEvents } from "#web/features/lineage/graph-viewport.ts";
import { useLater } from "#web/features/lineage/hooks.ts";
import styles from "#web/features/lineage/lineage.module.css";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import type { Hit } from "#web/graph/pick.ts";
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
  const { drawing, viewport, title, focus } = props;
  const { scene, keyboardNavigation, drawn } = drawing;
  const [hover, setHover] = useState<Hit | null>(null);
  const menu = useMenuButton();
  const canvas = useRef<HTMLCanvasElement>(null);
  const at = focus === null ? -1 : scene?.indexOf.get(focus) ?? -1;
  const [choosing, setChoosing] = useState<NeighbourSide | null>(null);
  const picking = useLater(loadPicking, scene !== null);
  useMissingPaths(props);
  const given = { ...props, onChoose: setChoosing };
  useGraphViewport(canvas, props, at, {
    onPick: (hit, how) => picking?.picked(given, hit, how),
    onHover: setHover,
  });
  const box = at >= 0 ? scene?.boxes[at] : undefined;
  return (
    <div className={styles.stage}>
      {/* It takes the focus, and says by its label how it is used. */}
      <canvas
        ref={canvas}
        className={styles.canvas}
        tabIndex={0}
        role="application"
        aria-roledescription={t("lineage.lineage")}
        aria-label={t("lineage.drawingLabel", { title })}
        aria-busy={drawing.drawnAs !== "nothing" &&
          (drawn.view !== drawing.view ||
            (scene !== null && (scene.cards !== drawing.cards || !keyboardNavigation || !picking)))}
        onKeyDown={(event) => picking?.pressed(event, given, at, menu.open)}
      />
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
    </div>
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

/** Shows the drawing on the canvas; `focus` is the index of the box that has the focus, -1 for none. */
function useGraphViewport(
  canvas: RefObject<HTMLCanvasElement | null>,
  { drawing: { drawn: { arrival }, marked }, state, setViewport }: ViewportOverlayProps,
  focus: number,
  events: ViewportEvents,
): void {
  const viewport = useRef<GraphViewport | null>(null);
  const latest = useRef(events);
  latest.current = events;
  useEffect(() => {
    const made = new GraphViewport(canvas.current!, {
      onPick: (hit, how) => latest.current.onPick(hit, how),
      onHover: (hit) => latest.current.onHover(hit),
    });
    viewport.current = made;
    setViewport(made);
    return () => {
      made.end();
      viewport.current = null;
      setViewport(null);
    };
  }, []);
  useEffect(() => {
    if (arrival) viewport.current?.show(arrival, state.view);
  }, [arrival]);
  useEffect(() => viewport.current?.mark(marked), [marked, arrival]);
  useEffect(() => viewport.current?.focus(focus), [focus, arrival]);
}
