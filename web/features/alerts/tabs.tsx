import { Tab, Tabs } from "#web/kit/page.tsx";
import { useCan } from "#web/components/permissions.ts";

/** Alerts, and what became of telling people of them. Whoever may not see the latter has one place only. */
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
