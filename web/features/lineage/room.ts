import type { Change, LineageState, Step } from "#web/features/lineage/address.ts";
import type { Cards } from "#web/graph/cards.ts";
import type { Stage } from "#web/features/lineage/stage.ts";
import type { useDrawing } from "#web/features/lineage/use-drawing.ts";

/** What the parts of the room around a drawing are given. */
export interface StageRoomProps {
  drawing: ReturnType<typeof useDrawing>;
  state: LineageState;
  stage: Stage | null;
  title: string;
  /** Key of the box that has the focus. */
  focus: string | null;
  change: Change;
  step: (step: Step) => void;
  setStage: (stage: Stage | null) => void;
  setFocus: (key: string | null) => void;
  setAnchor: (key: string) => void;
  /** Opened cards, once their columns are read. */
  setCards: (cards: Cards | null) => void;
}
