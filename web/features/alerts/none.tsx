import { CircleCheck } from "lucide-react";
import { Button } from "#web/kit/button.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { useIdentity } from "#web/components/permissions.ts";
import { noFilter } from "#web/features/alerts/filters.tsx";
import type { AlertsQuery } from "#web/features/alerts/view.ts";
import { t } from "#web/messages/text.ts";

/** Why there is nothing in the list, and what to do about it. */
export function NoAlerts({ query }: { query: AlertsQuery }) {
  const [params, change] = useParamsOfView();
  const { data: me } = useIdentity();
  const nobody = me !== undefined && !me.owner;
  const filtered = Object.keys(noFilter).some((name) => params[name]);
  if (query.view !== "all" && nobody) {
    return (
      <Empty title={t("alerts.youAreNotLinkedTo")}>
        {t("alerts.theseViewsShowAlertsOf")}
      </Empty>
    );
  }
  if (filtered) {
    return (
      <Empty
        title={t("alerts.noAlertsMatchTheseFilters")}
        action={<Button onClick={() => change(noFilter)}>{t("alerts.clearTheFilters")}</Button>}
      />
    );
  }
  return (
    <Empty title={t("alerts.noOpenAlerts")} icon={<CircleCheck aria-hidden />}>
      {t("alerts.failedTestsAndJobsBreaking")}
    </Empty>
  );
}
