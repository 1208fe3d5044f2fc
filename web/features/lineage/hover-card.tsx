import type { Hit } from "#web/graph/pick.ts";
import type { useDrawing } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/extras.module.css";

type DrawingState = ReturnType<typeof useDrawing>;

/** The whole name of what is under the pointer, and what is so of it. */
export function HoverCard({ drawing, hit }: { drawing: DrawingState; hit: Hit | null }) {
  const { scene, keyboardNavigation, model } = drawing;
  if (!hit || !scene || !keyboardNavigation) return null;
  if (hit.kind === "line") {
    const line = scene.lines[hit.line];
    if (!line) return null;
    const by = line.jobs.map((id) => model.nodes.get(id)?.name ?? id).slice(0, 5).join(", ");
    const ends = `${scene.boxes[line.from]!.label} feeds ${scene.boxes[line.to]!.label}`;
    const since = line.since && `: ${line.since.words}`;
    return <div className={styles.hover}>{by ? `${ends} by ${by}` : ends}{since}</div>;
  }
  if (!scene.boxes[hit.box]) return null;
  return <div className={styles.hover}>{keyboardNavigation.spoken(hit.box)}</div>;
}
