import type { Change, LineageState } from "#web/features/lineage/address.ts";
import type { useDrawing } from "#web/features/lineage/use-drawing.ts";

/** The details of an asset next to the drawing. */
export interface SidebarProps {
  drawing: ReturnType<typeof useDrawing>;
  state: LineageState;
  change: Change;
  /** Of the asset. */
  id: number;
}
