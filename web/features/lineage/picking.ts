import type { KeyboardEvent } from "react";
import { cardsOf } from "#web/graph/scene-parts.ts";
import type { Move } from "#web/graph/keyboard-navigation.ts";
import type { Point } from "#web/graph/geometry.ts";
import { card } from "#web/graph/paint/card.ts";
import { rectOf } from "#web/graph/scene.ts";
import { boxSize, levelOf } from "#web/graph/style.ts";
import { hasColumns, toggleCard } from "#web/features/lineage/card-state.ts";
import type { Hit } from "#web/graph/pick.ts";
import { type NeighbourSide, pagedOf, unfolding } from "#web/features/lineage/expanding.ts";
import type { Press } from "#web/features/lineage/graph-viewport.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";

// What clicks and keys do, which is loaded after the drawing.

type PickingProps = ViewportOverlayProps & { onChoose: (of: NeighbourSide) => void };

/** What a click does: boxes are chosen, handles open and close sides, frames of a map open, the ground lets go. */
export function picked(given: PickingProps, hit: Hit | null, { shift, double, at }: Press): void {
  const { drawing: { scene }, state, viewport, change, setFocus, setAnchor } = given;
  if (!scene) return;
  const alone = state.selected[0];
  if (!hit || hit.kind === "frame") {
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
  if (hit.kind === "box" && at && isFooter(given, hit.box, at)) {
    return toggleCard(given, viewport!, hit.box);
  }
  const isFrame = box.key.startsWith("fm");
  if (box.kind === "fold" && (double || isFrame || hit.kind === "handle")) {
    return change(unfolding(state, box.key), true);
  }
  if (hit.kind === "handle") return handled(given, hit);
  const two = shift && alone !== undefined && alone !== box.key;
  change({ selected: two ? [alone, box.key] : [box.key], column: null }, true);
}

/** Whether a point is where a card shows the number of its columns. */
function isFooter(
  { drawing: { scene, marked, model }, viewport }: PickingProps,
  index: number,
  { y }: Point,
): boolean {
  const box = scene!.boxes[index]!;
  const below = y - rectOf(scene!, index).y;
  return !box.form && levelOf(viewport!.view.zoom) === "near" && hasColumns(model, box) &&
    (marked.health?.find(box)?.columns ?? 0) > 0 &&
    below > card.footer.top && below < boxSize.height;
}

/** One hop more, or less; where neighbors are loaded and left out, somebody chooses among them. */
function handled(
  { drawing: { scene }, step, onChoose }: PickingProps,
  { box: index, side: end }: Hit & { kind: "handle" },
): void {
  const box = scene!.boxes[index]!;
  const id = box.members[0]!;
  const side = end === "left" ? "upstream" : "downstream";
  if (pagedOf(box, side) > 0) return onChoose({ id, side });
  if (box[end] === 0) return step({ kind: "close", id, side });
  step({ kind: "open", id, side, depth: 1 });
}

const moves = new Map<string, Move>([
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
]);

/** What keys do while the drawing has the focus; `at` is the box that has it within. */
export function pressed(
  event: KeyboardEvent,
  given: PickingProps,
  at: number,
  openMenu: () => void,
) {
  const { drawing: { scene, keyboardNavigation }, viewport, change, setFocus } = given;
  if (!keyboardNavigation || !scene || event.altKey || event.ctrlKey || event.metaKey) return;
  const move = moves.get(event.key);
  const box = scene.boxes[at];
  const keys: Record<string, () => void> = {
    Enter: () => box ? openMenu() : setFocus(scene.boxes[keyboardNavigation.first()]?.key ?? null),
    " ": () =>
      box && picked(given, { kind: "box", box: at }, { shift: event.shiftKey, double: false }),
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
}
