import { Tab, Tabs } from "#web/kit/page.tsx";
import { useCan } from "#web/components/permissions.ts";
import { t } from "#web/messages/text.ts";

/** Alerts and their notifications. Without the permission for notifications there is only one tab. */
export function AlertTabs() {
  const can = useCan();
  if (!can("NOTIFICATION_VIEW")) return null;
  return (
    <Tabs label={t("alerts.alerts2")}>
      <Tab to="/alerts">{t("alerts.alerts2")}</Tab>
      <Tab to="/alerts/silences">{t("alerts.silences")}</Tab>
      <Tab to="/alerts/deliveries">{t("alerts.notificationLog")}</Tab>
    </Tabs>
  );
}
