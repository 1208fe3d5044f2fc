import { Note } from "#web/kit/states.tsx";
import { exactTime, Time } from "#web/kit/time.tsx";
import { RenameOffer } from "#web/components/rename-offer.tsx";
import type { Details } from "#web/features/entity/details.ts";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

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
          <Rich
            of={status === "DRAFT" ? "entity.draftEnds" : "entity.deprecatedEnds"}
            values={{
              time: <Time at={ends} />,
              ends: exactTime(ends),
            }}
          />
        </Note>
      )}
      {of.is_stale && status !== "DELETED" && (
        <Note tone="warn">
          <Rich
            of="entity.lastSeenInItsSource"
            values={{ time: <Time at={of.last_ingested_at} none={t("entity.longAgo")} /> }}
          />
        </Note>
      )}
    </>
  );
}
