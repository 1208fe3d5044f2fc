import { Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { PeriodFields } from "#web/components/period.tsx";

/** Days within which alerts of the entity were raised last. */
export function EntityAlertFilters() {
  const [params, change] = useParamsOfView();
  return (
    <Toolbar>
      <span className="soft">Last raised from</span>
      <PeriodFields from={params.from} to={params.to} onChange={change} />
    </Toolbar>
  );
}
