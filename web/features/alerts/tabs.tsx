import { Tab, Tabs } from "#web/kit/page.tsx";
import { useCan } from "#web/components/permissions.ts";

/** Alerts and their notifications. Without the permission for notifications there is only one tab. */
export function AlertTabs() {
  const can = useCan();
  if (!can("NOTIFICATION_VIEW")) return null;
  return (
    <Tabs label="Alerts">
      <Tab to="/alerts">Alerts</Tab>
      <Tab to="/alerts/silences">Silences</Tab>
      <Tab to="/alerts/deliveries">Notification log</Tab>
    </Tabs>
  );
}
