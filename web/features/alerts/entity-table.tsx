import { Button } from "#web/kit/button.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { AlertStatusBadge, AlertTypeBadge } from "#web/components/alerts.tsx";
import type { useChangeStatus } from "#web/features/alerts/change.ts";
import type { Alert } from "#web/features/alerts/groups.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

type Change = ReturnType<typeof useChangeStatus>["change"];

/** Alerts of one entity; `onChange` is given where the caller may resolve them. */
export function EntityAlertTable(
  { alerts, current, onOpen, onChange }: {
    alerts: Alert[];
    current: number | undefined;
    onOpen: (id: number) => void;
    onChange?: Change;
  },
) {
  const columns = columnsOf(current, onOpen);
  return (
    <Table
      label={t("alerts.alerts2")}
      columns={onChange ? [...columns, actionsOf(onChange)] : columns}
      rows={alerts}
      keyOf={({ id }) => id}
      selected={({ id }) => id === current}
      onRow={({ id }) => onOpen(id)}
    />
  );
}

function columnsOf(current: number | undefined, onOpen: (id: number) => void): Column<Alert>[] {
  return [
    { name: t("kit.type"), tight: true, cell: ({ type }) => <AlertTypeBadge type={type} /> },
    {
      name: t("alerts.message"),
      cell: ({ id, description }) => (
        <button
          type="button"
          className={styles.message}
          aria-expanded={id === current}
          title={description}
          onClick={() => onOpen(id)}
        >
          <span className="truncate">{description || t("alerts.noMessage")}</span>
        </button>
      ),
    },
    {
      name: t("kit.status"),
      tight: true,
      cell: ({ status }) => <AlertStatusBadge status={status} />,
    },
    {
      name: t("alerts.lastRaised"),
      tight: true,
      cell: ({ last_created_at, created_at }) => <Time at={last_created_at ?? created_at} />,
    },
  ];
}

function actionsOf(onChange: Change): Column<Alert> {
  return {
    name: t("kit.actions"),
    hideName: true,
    tight: true,
    cell: (alert) => {
      const open = alert.status === "OPEN";
      return (
        <Button
          small
          aria-label={open
            ? t("alerts.resolveAlert", { id: alert.id })
            : t("alerts.reopenAlert", { id: alert.id })}
          onClick={() => void onChange([alert], open ? "RESOLVED" : "OPEN")}
        >
          {open ? t("alerts.resolve") : t("alerts.reopen")}
        </Button>
      );
    },
  };
}
