import { Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { PeriodFields } from "#web/components/period.tsx";
import { t } from "#web/messages/text.ts";

/** Days within which alerts of the entity were raised last. */
export function EntityAlertFilters() {
  const [params, change] = useParamsOfView();
  return (
    <Toolbar>
      <span className="soft">{t("alerts.lastRaisedFrom")}</span>
      <PeriodFields from={params.from} to={params.to} onChange={change} />
    </Toolbar>
  );
}
