import { ApiError } from "#web/api/errors.ts";
import { Empty, Failure } from "#web/kit/states.tsx";
import { exactTime } from "#web/kit/time.tsx";
import { t } from "#web/messages/text.ts";

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
