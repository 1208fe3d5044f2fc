import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { read, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Shown } from "#web/kit/states.tsx";
import { type Column, More, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { Allowed } from "#web/components/allowed.tsx";
import { useCan } from "#web/components/permissions.ts";
import { nameOf } from "#web/components/entity-link.tsx";
import { ExpiryOutlook } from "#web/features/management/expiry-outlook.tsx";
import { ExpiryPolicy, NoPolicy } from "#web/features/management/expiry-policy.tsx";
import styles from "#web/features/management/expiry.module.css";
import { t } from "#web/messages/text.ts";

type Expiry = Schema<"DataSourceExpiry">;

/** Entities that are named at first, and at most. */
const [few, many] = [100, 1_000];

/** What would expire of a data source now, by which policy, and what the fuse makes of it. Nothing here changes anything. */
export function ExpiryDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [limit, setLimit] = useState(few);
  const query = useQuery({
    ...read("/api/datasources/{data_source_id}/expiry", {
      params: { path: { data_source_id: id }, query: { limit } },
    }),
    enabled: useCan()("OPERATIONS_VIEW"),
  });
  return (
    <Dialog
      open
      wide
      title={query.data
        ? t("management.expiryOf", { name: query.data.name })
        : t("management.expiryOfSource", { id })}
      about={t("management.assetsThatTheCollectorNo")}
      actions={<Button variant="primary" onClick={onClose}>{t("management.done")}</Button>}
      onClose={onClose}
    >
      <div className={styles.room}>
        <Allowed permission="OPERATIONS_VIEW" what={t("management.whatExpires")}>
          <Shown of={query} what={t("management.dataSource")} bones={9}>
            {(found) => (
              <Found
                of={found}
                busy={query.isFetching}
                onMore={limit < many ? () => setLimit(many) : undefined}
              />
            )}
          </Shown>
        </Allowed>
      </div>
    </Dialog>
  );
}

function Found({ of, onMore, busy }: { of: Expiry; onMore?: () => void; busy: boolean }) {
  const { policy, outlook, items, catrn } = of;
  if (!policy || !outlook) return <NoPolicy />;
  return (
    <>
      <ExpiryPolicy of={policy} />
      <ExpiryOutlook {...{ catrn, policy, outlook }} />
      {items.length > 0 && (
        <ExpiryEntities
          items={items}
          total={outlook.stale}
          act={policy.act}
          onMore={onMore}
          busy={busy}
        />
      )}
    </>
  );
}

type Stale = Schema<"StaleEntity">;

/** What would leave, held back or not. */
function ExpiryEntities(
  { items, total, act, onMore, busy }: {
    items: Stale[];
    total: number;
    act: "edges" | "delete";
    onMore?: () => void;
    busy: boolean;
  },
) {
  return (
    <section className={styles.stack}>
      <h3>{t("management.wouldLeave", { act })}</h3>
      <div className={styles.list}>
        <Table
          label={t("management.assetsToExpire")}
          columns={columns()}
          rows={items}
          keyOf={({ id }) => id}
        />
        <More
          shown={items.length}
          total={total}
          hasNext={onMore !== undefined && items.length < total}
          busy={busy}
          onMore={() => onMore?.()}
        />
      </div>
    </section>
  );
}

const columns = (): Column<Stale>[] => [
  { name: t("management.entity"), cell: (one) => <Names of={one} /> },
  { name: t("management.broughtLast"), tight: true, cell: ({ seen_at }) => <Time at={seen_at} /> },
];

function Names({ of: { id, name, catrn } }: { of: Stale }) {
  const shown = nameOf({ id, external_name: name, catrn });
  return (
    <div className={styles.names}>
      <Link to="/dataentities/$id/overview" params={{ id: String(id) }} className="foreign">
        {shown}
      </Link>
      {shown !== catrn && <span className="mono foreign soft">{catrn}</span>}
    </div>
  );
}
