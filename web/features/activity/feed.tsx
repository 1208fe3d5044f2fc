import { useInfiniteQuery } from "@tanstack/react-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import type { Filter } from "#web/features/activity/filter.ts";
import { Group } from "#web/features/activity/group.tsx";
import { groupsOf } from "#web/features/activity/groups.ts";
import { type ActivityEvent, pageSize, readEvents } from "#web/features/activity/page-of-events.ts";
import styles from "#web/features/activity/activity.module.css";
import { t } from "#web/messages/text.ts";

/** Events, newest first, of the whole catalogue or of one entity, those of a batch as one; each page begins where the last ended. */
export function Feed({ filter, entity }: { filter: Filter; entity?: number }) {
  const path = entity === undefined
    ? "/api/activity"
    : "/api/dataentities/{data_entity_id}/activity";
  const result = useInfiniteQuery({
    queryKey: [path, entity ?? null, filter],
    queryFn: ({ pageParam, signal }) => readEvents(filter, entity, pageParam, signal),
    initialPageParam: undefined as ActivityEvent | undefined,
    getNextPageParam: ({ events }) => events.length === pageSize ? events.at(-1) : undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <Shown of={result} what={t("activity.activity")} bones={10}>
      {({ pages }) => {
        const events = pages.flatMap((page) => page.events);
        if (events.length === 0) {
          return (
            <Empty title={t("activity.noActivity")} icon={<Activity aria-hidden />}>
              {t("activity.noActivityInThisPeriod")}
            </Empty>
          );
        }
        const sources = new Map(pages.flatMap((page) => [...page.sources]));
        const ofEntity = entity !== undefined;
        const groups = groupsOf(events, { sources, ofEntity, hasMore: result.hasNextPage });
        return (
          <>
            <ol className={styles.feed} aria-busy={result.isFetching}>
              {groups.map((one) => (
                <Group key={one.events[0]!.id} of={one} sources={sources} entity={entity} />
              ))}
            </ol>
            <More
              shown={events.length}
              hasNext={result.hasNextPage}
              busy={result.isFetchingNextPage}
              onMore={() => void result.fetchNextPage()}
            />
          </>
        );
      }}
    </Shown>
  );
}
