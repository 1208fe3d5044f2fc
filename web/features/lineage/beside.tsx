import type { Change, LineageState } from "#web/features/lineage/address.ts";
import { ChangedList } from "#web/features/lineage/changed-list.tsx";
import { LineSidebar } from "#web/features/lineage/line-sidebar.tsx";
import { Sidebar } from "#web/features/lineage/sidebar.tsx";
import type { useDrawing } from "#web/features/lineage/use-drawing.ts";

interface Props {
  drawing: ReturnType<typeof useDrawing>;
  state: LineageState;
  change: Change;
  onJump: (id: number) => void;
}

/** Details next to the drawing: of the asset or connection that was clicked, otherwise what changed. */
export function Beside({ drawing, state, change, onJump }: Props) {
  const { model, view } = drawing;
  const [box = "", other] = state.selected;
  if (box.startsWith("e") && other === undefined) {
    return <Sidebar {...{ drawing, state, change }} id={Number(box.slice(1))} />;
  }
  const edge = view.edges.find(({ from, to }) => from === box && to === other);
  if (edge && edge.jobs.length > 0) return <LineSidebar {...{ drawing, change, edge }} />;
  return state.compare && model.changes ? <ChangedList {...{ model, onJump }} /> : null;
}
