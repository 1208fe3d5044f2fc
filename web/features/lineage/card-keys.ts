import { type RefObject, useEffect, useRef } from "react";
import type { Scene } from "#web/graph/scene.ts";
import { hasColumns, toggleCard } from "#web/features/lineage/card-state.ts";
import type { ViewportOverlayProps } from "#web/features/lineage/viewport-overlay.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";

export type CardKeysProps = ViewportOverlayProps & {
  viewport: GraphViewport;
  scene: Scene;
  canvas: RefObject<HTMLCanvasElement | null>;
};

/** Keys of the drawing that are about columns: `f` opens and closes the card of a box, `j` and `k` walk its columns. */
export function useCardKeys(props: CardKeysProps): void {
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
