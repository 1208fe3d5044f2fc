import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { cardsOf } from "#web/graph/cards.ts";
import type { Move } from "#web/graph/keyboard-navigation.ts";
import type { Press } from "#web/features/lineage/viewport-events.ts";
import type { Hit } from "#web/graph/pick.ts";
import { type Step, unfolding } from "#web/features/lineage/address.ts";
import { LineageCanvas } from "#web/features/lineage/canvas.tsx";
import { hub, nextPage } from "#web/features/lineage/fragments.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/viewport-overlay.ts";
import styles from "#web/features/lineage/lineage.module.css";

// The box that has the focus is needed first, then what can be done with it.
const Over = lazyComponent(() =>
  import("#web/features/lineage/overlays.tsx").then((all) => all.Over)
);
const FocusMenu = lazyComponent(() =>
  import("#web/features/lineage/focus-menu.tsx").then((all) => all.FocusMenu)
);
const HoverCard = lazyComponent(() =>
  import("#web/features/lineage/hover-card.tsx").then((all) => all.HoverCard)
);
const OverlayControls = lazyComponent(() =>
  import("#web/features/lineage/overlay-controls.tsx").then((all) => all.default)
);

const moves = new Map<string, Move>([
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
]);

/** The drawing with what lies above it: small map, zoom, menu of a box, what is under the pointer. */
export function ViewportOverlays(props: ViewportOverlayProps) {
  const { drawing, state, viewport, title, focus, setViewport } = props;
  const { scene, keyboardNavigation, drawn, marked } = drawing;
  const [hover, setHover] = useState<Hit | null>(null);
  const menu = useMenuButton();
  const canvas = useRef<HTMLCanvasElement>(null);
  const at = focus === null ? -1 : scene?.indexOf.get(focus) ?? -1;
  const pick = usePicks(props);
  const onKeyDown = keysOf(props, at, pick, menu.open);
  const box = at >= 0 ? scene?.boxes[at] : undefined;
  return (
    <LineageCanvas
      canvas={canvas}
      label={`Lineage of ${title}. Arrow keys walk along lines, Enter opens what can be done, ` +
        `Space shows paths, F columns, J and K walk them, plus, minus and 0 zoom.`}
      arrival={drawn.arrival}
      busy={drawn.view !== drawing.view ||
        (scene !== null && (scene.cards !== drawing.cards || !keyboardNavigation))}
      marked={marked}
      focus={at}
      view={state.view}
      onPick={pick}
      onHover={setHover}
      onKeyDown={onKeyDown}
      onViewport={setViewport}
    >
      {viewport && scene && <OverlayControls {...{ ...props, viewport, scene, canvas }} />}
      {viewport && box && (
        <FocusMenu
          {...props}
          viewport={viewport}
          box={box}
          index={at}
          trigger={menu.button}
          canvas={canvas}
        />
      )}
      {hover && <HoverCard drawing={drawing} hit={hover} />}
      <Over drawing={drawing} isPast={state.asOf !== null} />
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

type Pick = (hit: Hit | null, how: Press) => void;

/** What keys do while the drawing has the focus; `at` is the box that has it within. */
function keysOf(
  { drawing, viewport, change, setFocus }: ViewportOverlayProps,
  at: number,
  pick: Pick,
  openMenu: () => void,
) {
  const { scene, keyboardNavigation } = drawing;
  return (event: KeyboardEvent) => {
    if (!keyboardNavigation || !scene || event.altKey || event.ctrlKey || event.metaKey) return;
    const move = moves.get(event.key);
    const box = scene.boxes[at];
    const keys: Record<string, () => void> = {
      Enter: () =>
        box ? openMenu() : setFocus(scene.boxes[keyboardNavigation.first()]?.key ?? null),
      " ": () => box && pick({ kind: "box", box: at }, { shift: event.shiftKey, double: false }),
      Escape: () => change({ selected: [], column: null }),
      Home: () => setFocus(scene.boxes[keyboardNavigation.first()]?.key ?? null),
      "+": () => viewport?.zoom(1.3),
      "=": () => viewport?.zoom(1.3),
      "-": () => viewport?.zoom(1 / 1.3),
      "0": () => viewport?.fit(),
    };
    if (move) setFocus(scene.boxes[keyboardNavigation.next(at, move)]?.key ?? null);
    else if (Object.hasOwn(keys, event.key)) keys[event.key]!();
    else return;
    event.preventDefault();
  };
}

/** What a click does: boxes are chosen, handles open and close sides, the ground lets go. */
function usePicks(
  { drawing, state, viewport, change, step, setFocus, setAnchor }: ViewportOverlayProps,
): Pick {
  const { scene, view, highlight } = drawing;
  const alone = state.selected[0];
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
  return (hit, { shift, double, at }) => {
    if (!scene) return;
    if (!hit) {
      return change({ selected: [], column: null }, Boolean(state.column ?? alone));
    }
    if (hit.kind === "line") {
      const { from, to } = scene.lines[hit.line]!;
      return change({ selected: [scene.boxes[from]!.key, scene.boxes[to]!.key] }, true);
    }
    const box = scene.boxes[hit.box]!;
    setFocus(box.key);
    setAnchor(box.key);
    const row = at && hit.kind === "box" &&
      cardsOf(scene)?.at(scene, hit.box, at, viewport!.view.zoom);
    if (row) return change(row === "more" ? { panel: true } : { ...row, selected: [] }, true);
    if (box.kind === "fold" && (double || hit.kind === "handle")) {
      return change(unfolding(state, box.key), true);
    }
    if (hit.kind === "handle") {
      const id = box.members[0]!;
      const side = hit.side === "left" ? "upstream" : "downstream";
      const hidden = box[hit.side];
      if (hidden === 0) return step({ kind: "close", id, side });
      if (hidden <= hub.from) return step({ kind: "open", id, side, depth: 1 });
      return step(nextPage(id, side, drawing.near(id, side).length));
    }
    const two = shift && alone !== undefined && alone !== box.key;
    change({ selected: two ? [alone, box.key] : [box.key], column: null }, true);
  };
}
