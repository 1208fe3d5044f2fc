import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { read } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { shortCount } from "#web/kit/numbers.ts";
import { Card, Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { useIdentity } from "#web/components/permissions.ts";
import { Feed } from "#web/features/activity/feed.tsx";
import { type Filter, filterOf, type View } from "#web/features/activity/events.ts";
import { Filters } from "#web/features/activity/filters.tsx";
import { t } from "#web/messages/text.ts";

/** What people and collectors did, newest first. */
export function ActivityScreen() {
  const [params] = useParamsOfView();
  const filter = useMemo(() => filterOf(params, new Date()), [params]);
  return (
    <Page
      title={t("activity.activity2")}
      about={t("activity.changesByPeopleAndCollectors")}
      actions={<Views filter={filter} />}
    >
      <Filters whole />
      <Card>
        <Feed filter={filter} />
      </Card>
    </Page>
  );
}

/** All of the catalogue, or what one owns and its surroundings. */
function Views({ filter }: { filter: Filter }) {
  const [params, change] = useParamsOfView();
  const owner = useIdentity().data?.owner;
  const { type: _, ...query } = filter;
  const counts =
    useQuery({ ...read("/api/activity/counts", { params: { query } }), enabled: Boolean(owner) })
      .data;
  if (!owner) return null;
  const views: [View, string, number | undefined][] = [
    ["ALL", t("activity.all"), counts?.total_count],
    ["MY_OBJECTS", t("activity.mine"), counts?.my_objects_count],
    ["UPSTREAM", t("activity.upstreamOfMine"), counts?.upstream_count],
    ["DOWNSTREAM", t("activity.downstreamOfMine"), counts?.downstream_count],
  ];
  return views.map(([view, name, total]) => (
    <Button
      key={view}
      small
      variant="quiet"
      aria-pressed={(params.view ?? "ALL") === view}
      onClick={() => change({ view: view === "ALL" ? undefined : view }, true)}
    >
      {name} {total === undefined ? "" : shortCount(total)}
    </Button>
  ));
}
