import type { Change, LineageState } from "#web/features/lineage/address.ts";
import type { useDrawing } from "#web/features/lineage/use-drawing.ts";

/** What is told beside a drawing of one of its assets. */
export interface SidebarProps {
  drawing: ReturnType<typeof useDrawing>;
  state: LineageState;
  change: Change;
  /** Of the asset. */
  id: number;
}
