import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { read } from "#web/api/client.ts";
import { Choice } from "#web/kit/button.tsx";
import { shortCount } from "#web/kit/numbers.ts";
import { Card, Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { useIdentity } from "#web/components/permissions.ts";
import { Feed } from "#web/features/activity/feed.tsx";
import { type Filter, filterOf } from "#web/features/activity/events.ts";
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
  const { data: counts } = useQuery({
    ...read("/api/activity/counts", { query }),
    enabled: Boolean(owner),
  });
  if (!owner) return null;
  const text = (name: string, total: number | undefined) =>
    `${name} ${total === undefined ? "" : shortCount(total)}`;
  const views = [
    ["ALL", text(t("activity.all"), counts?.total_count)],
    ["MY_OBJECTS", text(t("activity.mine"), counts?.my_objects_count)],
    ["UPSTREAM", text(t("activity.upstreamOfMine"), counts?.upstream_count)],
    ["DOWNSTREAM", text(t("activity.downstreamOfMine"), counts?.downstream_count)],
  ] as const;
  return (
    <Choice
      of={views}
      value={params.view ?? "ALL"}
      onValue={(view) => change({ view: view === "ALL" ? undefined : view }, true)}
    />
  );
}
