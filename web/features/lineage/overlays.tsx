import { Empty, Failure } from "#web/kit/states.tsx";
import type { useDrawing } from "#web/features/lineage/use-drawing.ts";
import styles from "#web/features/lineage/lineage.module.css";

type DrawingState = ReturnType<typeof useDrawing>;

/** What is said instead of a drawing: it failed, nothing is connected, no path was found. */
export function Over({ drawing, isPast }: { drawing: DrawingState; isPast: boolean }) {
  const { drawn, model, pending, error } = drawing;
  if (drawn.error) {
    return (
      <div className={styles.over}>
        <Failure error={drawn.error} what="layout" />
      </div>
    );
  }
  if (pending || error || model.edges.length > 0) return null;
  return (
    <div className={styles.over}>
      <Empty title={isPast ? "No lineage at that time" : "No lineage"}>
        {isPast ||
          "Nothing is known to feed it, and it is not known to feed anything. Lineage comes with " +
            "what collectors send, and with traces."}
      </Empty>
    </div>
  );
}
