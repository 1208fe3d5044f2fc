import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, type Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { AlertTypeBadge } from "#web/components/alerts.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import styles from "#web/features/owner/owner.module.css";
import { t } from "#web/messages/text.ts";

type Alert = Schema<"Alert">;
const open = "OPEN" as const;
const maxShown = 10;

const columns = (): Column<Alert>[] => [
  { name: t("owner.alert"), cell: ({ type }) => <AlertTypeBadge type={type} />, tight: true },
  {
    name: t("owner.asset"),
    cell: ({ data_entity: asset }) => asset && <EntityLink of={asset} tab="alerts" />,
  },
  { name: t("owner.since"), cell: ({ created_at }) => <Time at={created_at} />, tight: true },
];

/** Open alerts of what an owner owns, the newest first. */
export function OwnerAlerts({ owner }: { owner: number }) {
  const filter = { owner_ids: [owner], status: open };
  const total = useQuery(read("/api/alerts/counts", { params: { query: filter } })).data
    ?.total_count;
  const { data: alerts } = useQuery(
    read("/api/alerts/list", { params: { query: { ...filter, page: 1, size: maxShown } } }),
  );
  if (!alerts || total === undefined) return null;
  if (alerts.length === 0) {
    return <Card title={t("owner.noOpenAlerts")}>{t("owner.nothingIsWrongWithTheir")}</Card>;
  }
  return (
    <Card
      title={t("owner.openAlerts", { total })}
      flush
      actions={
        <Link to="/alerts" search={{ owner: String(owner) } as never} className={styles.all}>
          {total > alerts.length ? t("owner.all", { total: count(total) }) : t("kit.allAlerts")}
        </Link>
      }
    >
      <Table label={t("kit.openAlerts")} columns={columns()} rows={alerts} keyOf={({ id }) => id} />
    </Card>
  );
}
