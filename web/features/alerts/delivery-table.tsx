import type { Schema } from "#web/api/client.ts";
import { type Column, Table } from "#web/kit/table.tsx";
import { words } from "#web/kit/numbers.ts";
import { Button } from "#web/kit/button.tsx";
import { Time } from "#web/kit/time.tsx";
import { AlertTypeBadge } from "#web/components/alerts.tsx";
import { EntityById } from "#web/components/entity-by-id.tsx";
import { DeliveryStateBadge } from "#web/features/alerts/delivery-states.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

type Delivery = Schema<"NotificationDelivery">;

export function DeliveryTable(
  { deliveries, onOpen }: { deliveries: Delivery[]; onOpen: (id: string) => void },
) {
  return (
    <Table
      label={t("alerts.notifications")}
      columns={columnsOf(onOpen)}
      rows={deliveries}
      keyOf={({ id }) => id}
    />
  );
}

function columnsOf(onOpen: (id: string) => void): Column<Delivery>[] {
  return [
    { name: t("alerts.when"), tight: true, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      name: t("alerts.about"),
      cell: ({ entity_id, alert_id }) =>
        entity_id
          ? <EntityById id={entity_id} tab="alerts" />
          : t("alerts.alertNumber", { id: alert_id }),
    },
    {
      name: t("kit.whatHappened"),
      cell: (one) => <Happened delivery={one} />,
    },
    {
      name: t("kit.to"),
      cell: ({ channel, recipient }) => (
        <div className={styles.kind}>
          <span className="soft">{words(channel)}</span>
          <span className="foreign">{recipient}</span>
        </div>
      ),
    },
    {
      name: t("alerts.state"),
      tight: true,
      cell: ({ state, attempt_count }) => (
        <div className={styles.kind}>
          <DeliveryStateBadge state={state} />
          <span className="soft">{t("alerts.attemptCount", { count: attempt_count })}</span>
        </div>
      ),
    },
    {
      name: t("alerts.cause"),
      cell: (one) => <span className="foreign">{causeOf(one)}</span>,
    },
    {
      name: t("kit.actions"),
      hideName: true,
      tight: true,
      cell: ({ id, alert_id }) => (
        <Button
          small
          aria-label={t("alerts.detailsOfDelivery", { id: alert_id })}
          onClick={() => onOpen(id)}
        >
          {t("alerts.details")}
        </Button>
      ),
    },
  ];
}

function Happened({ delivery }: { delivery: Delivery }) {
  const event = words(delivery.event_type);
  return (
    <div className={styles.kind}>
      <AlertTypeBadge type={delivery.alert_type} />
      <span>{delivery.kind === "FOLLOW_UP" ? t("alerts.followUp", { event }) : event}</span>
    </div>
  );
}

/** Why it is in its state, if there is a reason. */
export function causeOf({ reason, attempts, state }: Delivery): string {
  const last = attempts.at(-1);
  return reason ?? (state === "DELIVERED" ? "" : last?.cause ?? "");
}
