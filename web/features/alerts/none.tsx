import { CircleCheck } from "lucide-react";
import { Button } from "#web/kit/button.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { useIdentity } from "#web/components/permissions.ts";
import { noFilter } from "#web/features/alerts/filters.tsx";
import type { AlertsQuery } from "#web/features/alerts/view.ts";

/** Why there is nothing in the list, and what to do about it. */
export function NoAlerts({ query }: { query: AlertsQuery }) {
  const [params, change] = useParamsOfView();
  const { data: me } = useIdentity();
  const nobody = me !== undefined && !me.owner;
  const filtered = Object.keys(noFilter).some((name) => params[name]);
  if (query.view !== "all" && nobody) {
    return (
      <Empty title="You are not linked to an owner yet">
        These views show alerts of the assets of an owner. Request an owner on the home page.
      </Empty>
    );
  }
  if (filtered) {
    return (
      <Empty
        title="No alerts match these filters"
        action={<Button onClick={() => change(noFilter)}>Clear the filters</Button>}
      />
    );
  }
  return (
    <Empty title="No open alerts" icon={<CircleCheck aria-hidden />}>
      Failed tests and jobs, breaking schema changes and unreachable sources appear here.
    </Empty>
  );
}
