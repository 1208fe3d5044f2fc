import { ApiError } from "#web/api/errors.ts";
import styles from "#web/features/lineage/lineage.module.css";
import type { ViewportOverlayProps } from "#web/features/lineage/use-drawing.ts";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Empty, Failure } from "#web/kit/states.tsx";
import { exactTime } from "#web/kit/time.tsx";
import { t } from "#web/messages/text.ts";

const LargeSummary = lazyComponent(() =>
  import("#web/features/lineage/large-summary.tsx").then((all) => all.LargeSummary)
);

/**
 * What is said in the place of a drawing: it failed, nothing is connected, it is very large. `NotThen` says that nothing
 * could be read.
 */
export function NoDrawing({ drawing, state, change }: ViewportOverlayProps) {
  const { drawn, model, pending, error, drawnAs } = drawing;
  if (drawnAs === "nothing") {
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
        {isPast || t("lineage.nothingIsKnown")}
      </Empty>
    </div>
  );
}

/** That an asset was not there at the time that a drawing is of, since when it is; any other failure as it is. */
export function NotThen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const details = error instanceof ApiError && error.status === 404 ? error.details : [];
  const at = (field: string) => details.find((one) => one.field === field)?.message;
  const [created, deleted] = [at("created_at"), at("deleted_since") ?? at("purged_at")];
  if (!created && !deleted) {
    return <Failure error={error} what={t("lineage.lineage")} onRetry={onRetry} />;
  }
  return (
    <Empty title={t("lineage.notInTheCatalogueAt")}>
      {created
        ? t("lineage.itWasCreatedOn", { created: exactTime(created) })
        : t("lineage.itWasDeletedOn", { deleted: exactTime(deleted!) })}
    </Empty>
  );
}
