import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Empty, Failure } from "#web/kit/states.tsx";
import type { ViewportOverlayProps } from "#web/features/lineage/viewport-overlay.ts";
import styles from "#web/features/lineage/lineage.module.css";
import { t } from "#web/messages/text.ts";

const LargeSummary = lazyComponent(() =>
  import("#web/features/lineage/large-summary.tsx").then((all) => all.LargeSummary)
);

/** What is said instead of a drawing: it failed, nothing is connected, it is very large. */
export function Over({ drawing, state, change }: ViewportOverlayProps) {
  const { drawn, model, pending, error, extent } = drawing;
  if (extent === "nothing") {
    return (
      <div className={styles.over}>
        <LargeSummary {...{ model, change }} />
      </div>
    );
  }
  if (drawn.error) {
    return (
      <div className={styles.over}>
        <Failure error={drawn.error} what={t("lineage.layout")} />
      </div>
    );
  }
  if (pending || error || model.edges.length > 0) return null;
  const isPast = state.asOf !== null;
  return (
    <div className={styles.over}>
      <Empty title={isPast ? t("lineage.noLineageAtThatTime") : t("lineage.noLineage")}>
        {isPast ||
          t("lineage.nothingIsKnown")}
      </Empty>
    </div>
  );
}
