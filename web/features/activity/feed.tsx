import { useInfiniteQuery } from "@tanstack/react-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { ask, type Schema } from "#web/api/client.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { Event } from "#web/features/activity/event.tsx";
import type { Filter } from "#web/features/activity/filter.ts";
import styles from "#web/features/activity/activity.module.css";

const size = 40;

/** Events, newest first, of the whole catalogue or of one entity; each page begins where the last ended. */
export function Feed({ filter, entity }: { filter: Filter; entity?: number }) {
  const path = entity === undefined
    ? "/api/activity"
    : "/api/dataentities/{data_entity_id}/activity";
  const result = useInfiniteQuery({
    queryKey: [path, entity ?? null, filter],
    queryFn: ({ pageParam, signal }) => page(filter, entity, pageParam, signal),
    initialPageParam: undefined as Schema<"Activity"> | undefined,
    getNextPageParam: (last) => last.length === size ? last.at(-1) : undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <Shown of={result} what="activity" bones={10}>
      {({ pages }) => {
        const events = pages.flat();
        if (events.length === 0) {
          return (
            <Empty title="No activity" icon={<Activity aria-hidden />}>
              No activity in this period matches these filters.
            </Empty>
          );
        }
        return (
          <>
            <ol className={styles.feed} aria-busy={result.isFetching}>
              {events.map((one) => <Event key={one.id} of={one} ofEntity={entity !== undefined} />)}
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

async function page(
  filter: Filter,
  entity: number | undefined,
  after: Schema<"Activity"> | undefined,
  signal: AbortSignal,
) {
  const query = {
    ...filter,
    size,
    last_event_id: after?.id,
    last_event_date_time: after?.created_at,
  };
  if (entity === undefined) {
    return (await ask("get", "/api/activity", { params: { query }, signal })).data;
  }
  const params = { path: { data_entity_id: entity }, query };
  return (await ask("get", "/api/dataentities/{data_entity_id}/activity", { params, signal })).data;
}
