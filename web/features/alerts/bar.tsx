import { Check, RotateCcw } from "lucide-react";
import { useQueries } from "@tanstack/react-query";
import { Button } from "#web/kit/button.tsx";
import { Keys } from "#web/kit/keys.tsx";
import type { AlertStatus } from "#web/components/alerts.tsx";
import { useViewedUser } from "#web/components/view-as.ts";
import { type Permission, useAppInfo, useCan } from "#web/components/permissions.ts";
import type { Alert } from "#web/features/alerts/groups.ts";
import { alertKeys } from "#web/features/alerts/keys.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";
import { read } from "#web/api/client.ts";

interface BarProps {
  ticked: Alert[];
  /** How many are being changed. */
  left: number;
  onClear: () => void;
  onChange: (status: AlertStatus) => void;
  shown: number;
  more: boolean;
}

/** Above the list: how much of it there is, or what can be done with those that are ticked. */
export function Bar(props: BarProps) {
  const { ticked, left, shown, more } = props;
  if (left > 0) {
    return (
      <div className={styles.bar} role="status">
        {t("alerts.toGo", { count: left })}
      </div>
    );
  }
  if (ticked.length > 0) return <Ticked {...props} />;
  return (
    <div className={styles.bar}>
      <span className="soft">
        {more
          ? t("alerts.alertsMoreToCome", { count: shown })
          : t("alerts.alertCount", { count: shown })}
      </span>
      <Keys
        of={[
          ...alertKeys(),
          ["o", t("alerts.keyOpen")],
          ["x", t("alerts.keySelect")],
          ["/", t("alerts.keySearch")],
        ]}
      />
    </div>
  );
}

function Ticked({ ticked, onClear, onChange }: BarProps) {
  const ids = ticked.map(({ data_entity }) => data_entity?.id);
  const allowed = useCanAll(ids, "DATA_ENTITY_ALERT_RESOLVE");
  return (
    <div className={styles.bar}>
      <span>
        {t("alerts.selected", { count: ticked.length })}
        {!allowed && <span className="soft">&ensp;{t("alerts.youMayNotChangeAll")}</span>}
      </span>
      {allowed && ticked.some(({ status }) => status === "OPEN") && (
        <Button
          small
          variant="primary"
          onClick={() => onChange("RESOLVED")}
        >
          <Check aria-hidden />
          {t("alerts.resolve")}
        </Button>
      )}
      {allowed && ticked.some(({ status }) => status !== "OPEN") && (
        <Button
          small
          onClick={() => onChange("OPEN")}
        >
          <RotateCcw aria-hidden />
          {t("alerts.reopen")}
        </Button>
      )}
      <Button small variant="quiet" onClick={onClear}>{t("alerts.selectNone")}</Button>
    </div>
  );
}

/** Entities whose permissions are requested at most; more may be changed by those only who may change everything. */
const max = 50;

/** Whether something may be done with all of these entities; undefined stands for what belongs to none. */
function useCanAll(entities: (number | undefined)[], permission: Permission): boolean {
  const everywhere = useCan()(permission);
  const open = useAppInfo().data?.authType === "DISABLED";
  const ids = [...new Set(entities)];
  const viewed = useViewedUser() !== undefined;
  const checked = everywhere || open || viewed
    ? []
    : ids.filter((id) => id !== undefined).slice(0, max);
  const each = useQueries({
    queries: checked.map((id) => ({
      ...read("/api/resource/{permission_resource_type}/{resource_id}/permissions", {
        params: { path: { permission_resource_type: "DATA_ENTITY", resource_id: id } },
      }),
      staleTime: 60_000,
    })),
  });
  if (everywhere || open) return true;
  return !viewed && ids.length === checked.length &&
    each.every(({ data }) => (data as Permission[] | undefined)?.includes(permission));
}
