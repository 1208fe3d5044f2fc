import { Check, RotateCcw } from "lucide-react";
import { Button } from "#web/kit/button.tsx";
import { Keys } from "#web/kit/keys.tsx";
import type { AlertStatus } from "#web/components/alerts.tsx";
import { useCanAll } from "#web/features/alerts/can-all.ts";
import type { Alert } from "#web/features/alerts/groups.ts";
import { alertKeys } from "#web/features/alerts/keys.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

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
