import { Note } from "#web/kit/states.tsx";
import { exactTime, Time } from "#web/kit/time.tsx";
import type { Details } from "#web/features/entity/details.ts";

/** What to know before relying on the entity: that it is deleted, ends soon, or that its source is silent. */
export function Notices({ of }: { of: Details }) {
  const { status, status_switch_time: ends } = of.status;
  return (
    <>
      {status === "DELETED" && (
        <Note tone="bad">
          This entity is deleted: searches and lists leave it out. All that is known of it is kept
          until it is purged, and it comes back when a collector sends it again or its status is
          changed.
        </Note>
      )}
      {ends && status !== "DELETED" && (
        <Note tone="warn">
          {status === "DRAFT" ? "A draft" : "Deprecated"}: it is deleted by itself{" "}
          <Time at={ends} /> ({exactTime(ends)}), unless its status is changed.
        </Note>
      )}
      {of.is_stale && status !== "DELETED" && (
        <Note tone="warn">
          Its source has not told of it since{" "}
          <Time at={of.last_ingested_at} none="long ago" />: what stands here may no longer be so.
        </Note>
      )}
    </>
  );
}
