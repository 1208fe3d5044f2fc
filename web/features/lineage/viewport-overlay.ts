import type { Change, LineageState, Step } from "#web/features/lineage/address.ts";
import type { Cards } from "#web/graph/cards.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";
import type { Appearance, useDrawing } from "#web/features/lineage/use-drawing.ts";

/** What the parts of the room around a drawing are given. */
export interface ViewportOverlayProps {
  drawing: ReturnType<typeof useDrawing>;
  state: LineageState;
  viewport: GraphViewport | null;
  title: string;
  /** Key of the box that has the focus. */
  focus: string | null;
  change: Change;
  step: (step: Step) => void;
  setViewport: (viewport: GraphViewport | null) => void;
  setFocus: (key: string | null) => void;
  setAnchor: (key: string) => void;
  /** Opened cards, once their columns are read. */
  setCards: (cards: Cards | null) => void;
  setAppearance: (appearance: Appearance | null) => void;
}
