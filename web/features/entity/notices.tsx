import { Note } from "#web/kit/states.tsx";
import { exactTime, Time } from "#web/kit/time.tsx";
import { RenameOffer } from "#web/components/rename-offer.tsx";
import type { Details } from "#web/features/entity/details.ts";
import { t } from "#web/messages/text.ts";

/** What to know before relying on the entity: that it is deleted, ends soon, or that its source is silent. */
export function Notices({ of }: { of: Details }) {
  const { status, status_switch_time: ends } = of.status;
  return (
    <>
      {status === "DELETED" && (
        <Note tone="bad">
          {t("entity.thisAssetIsDeletedAnd")}
        </Note>
      )}
      {of.renames.map((offer) => <RenameOffer key={offer.id} of={offer} />)}
      {ends && status !== "DELETED" && (
        <Note tone="warn">
          {status === "DRAFT" ? t("entity.aDraft") : t("entity.deprecated")}: deleted automatically
          {" "}
          <Time at={ends} /> ({exactTime(ends)}), unless its status is changed.
        </Note>
      )}
      {of.is_stale && status !== "DELETED" && (
        <Note tone="warn">
          Last seen in its source{" "}
          <Time at={of.last_ingested_at} none={t("entity.longAgo")} />. This page may be out of
          date.
        </Note>
      )}
    </>
  );
}
