import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { Card } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Feed } from "#web/features/activity/feed.tsx";
import { filterOf } from "#web/features/activity/events.ts";
import { Filters } from "#web/features/activity/filters.tsx";

const route = getRouteApi("/dataentities/$id");

/** What happened to one entity. */
export function ActivityTab() {
  const id = Number(route.useParams().id);
  const [params] = useParamsOfView();
  const filter = useMemo(() => ofEntity(filterOf(params, new Date())), [params]);
  return (
    <>
      <Filters />
      <Card>
        <Feed filter={filter} entity={id} />
      </Card>
    </>
  );
}

/** Of one entity only time, kind and who can be requested. */
function ofEntity({ begin_date, end_date, event_type, username }: ReturnType<typeof filterOf>) {
  return { begin_date, end_date, event_type, username };
}
