import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { Activity, Bot, Undo2, User } from "lucide-react";
import { useState } from "react";
import { refresh, send } from "#web/api/client.ts";
import { askDetails } from "#web/components/entity-details.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { MorePages } from "#web/components/paged-table.tsx";
import { type Permission, useCan } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import styles from "#web/features/activity/activity.module.css";
import {
  type Change,
  changesOf,
  isSameOwnership,
  type Reversal,
  reversalOf,
} from "#web/features/activity/changes.ts";
import {
  type ActivityEvent,
  type Filter,
  pageSize,
  readEvents,
} from "#web/features/activity/events.ts";
import { type EventGroup, groupsOf, whoOf } from "#web/features/activity/groups.ts";
import { Button } from "#web/kit/button.tsx";
import { words } from "#web/kit/numbers.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
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
            <MorePages of={result} shown={events.length} />
          </>
        );
      }}
    </Shown>
  );
}

/** An event, or several that belong together as one line that opens. `entity`: whose page it is, if it is that of one. */
function Group(
  { of, sources, entity }: {
    of: EventGroup;
    sources: ReadonlyMap<number, string>;
    entity: number | undefined;
  },
) {
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = of.events;
  if (!first) return null;
  if (others.length === 0) return <Event of={first} who={of.who} entity={entity} />;
  return (
    <li className={styles.event}>
      <Who name={of.who} isSystem={first.system_event} />
      <details
        className={styles.group}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <strong>{groupText(of, entity !== undefined)}</strong>
        </summary>
        {isOpen && (
          <ol className={styles.feed}>
            {of.events.map((one) => (
              <Event key={one.id} of={one} who={whoOf(one, sources)} entity={entity} />
            ))}
          </ol>
        )}
      </details>
      <span className={styles.when}>
        <Time at={first.created_at} />
      </span>
    </li>
  );
}

/** Such as `Added 39 assets`; of one entity, how much was changed. */
function groupText({ events, entities, complete }: EventGroup, ofEntity: boolean): string {
  if (ofEntity) {
    const changes = { count: events.length };
    return complete ? t("activity.changesAtOnce", changes) : t("activity.atLeastChanges", changes);
  }
  const assets = { count: entities };
  const what = complete ? t("activity.assets", assets) : t("activity.atLeastAssets", assets);
  return t(`activity.group.${events[0]!.event_type}`, { what });
}

/** One event: who did what to which entity, and what it changed. */
function Event(
  { of, who, entity }: { of: ActivityEvent; who: string; entity: number | undefined },
) {
  const { event_type, created_at, data_entity, system_event } = of;
  return (
    <li className={styles.event}>
      <Who name={who} isSystem={system_event} />
      <div className={styles.what}>
        <div className={styles.line}>
          <strong>{words(event_type)}</strong>
          {entity === undefined && data_entity && <EntityLink of={data_entity} tab="activity" />}
          {entity !== undefined && <Revert of={of} entity={entity} />}
        </div>
        {event_type !== "DATA_ENTITY_CREATED" && <Changes of={changesOf(of)} />}
      </div>
      <span className={styles.when}>
        <Time at={created_at} />
      </span>
    </li>
  );
}

function Who({ name, isSystem }: { name: string; isSystem: boolean | undefined }) {
  return (
    <span className={styles.who}>
      {isSystem ? <Bot aria-hidden /> : <User aria-hidden />}
      <span className="truncate">{name}</span>
    </span>
  );
}

function Changes({ of }: { of: Change[] }) {
  if (of.length === 0) return null;
  return (
    <dl className={styles.changes}>
      {of.map((change, at) => (
        <div key={at}>
          <dt>{change.name}</dt>
          <dd className="foreign">
            {change.kind === "text"
              ? (
                <>
                  {change.before && <del>{change.before}</del>}{" "}
                  {change.after && <ins>{change.after}</ins>}
                  {!change.after && <span className="soft">{t("activity.removed")}</span>}
                </>
              )
              : (
                <>
                  {change.removed.map((one) => <del key={one}>{one}</del>)}
                  {change.added.map((one) => <ins key={one}>{one}</ins>)}
                </>
              )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Takes back a change of the description or of an owner, for those who may change it; not what was changed again since. */
function Revert({ of, entity }: { of: ActivityEvent; entity: number }) {
  const reversal = reversalOf(of);
  const can = useCan("DATA_ENTITY", entity);
  const queries = useQueryClient();
  const work = useMutation({
    mutationFn: async (wanted: Reversal) => {
      if (!await isStillSo(entity, wanted)) return false;
      await revert(entity, wanted);
      return true;
    },
    onSuccess: (done) => {
      if (done) {
        toast(
          reversal?.kind === "owner"
            ? t("activity.theOwnerIsAsBefore")
            : t("activity.theDescriptionIsAsBefore"),
        );
        return;
      }
      toast(t("activity.itWasChangedAgainSince"), {
        tone: "bad",
        about: t("activity.nothingIsReverted"),
      });
    },
    onError: (error) => complain(t("activity.itIsNotReverted"), error),
    onSettled: () => refresh(queries, "/api/dataentities", "/api/activity"),
  });
  if (of.system_event || !reversal || !can(permissionFor(reversal))) return null;
  return (
    <Button small variant="quiet" busy={work.isPending} onClick={() => work.mutate(reversal)}>
      <Undo2 aria-hidden />
      {t("activity.revert")}
    </Button>
  );
}

function permissionFor(reversal: Reversal): Permission {
  if (reversal.kind === "description") return "DATA_ENTITY_DESCRIPTION_UPDATE";
  if (!reversal.to) return "DATA_ENTITY_OWNERSHIP_DELETE";
  return reversal.from ? "DATA_ENTITY_OWNERSHIP_UPDATE" : "DATA_ENTITY_OWNERSHIP_CREATE";
}

/** Whether the entity still is what the event made it. */
async function isStillSo(entity: number, reversal: Reversal): Promise<boolean> {
  const now = await askDetails(entity, { view: false });
  if (reversal.kind === "description") return (now.internal_description ?? "") === reversal.from;
  const given = now.ownership?.find(({ owner, external }) =>
    owner.name === reversal.name && !external
  );
  const is = given && { owner_name: given.owner.name, title_name: given.title?.name ?? null };
  return isSameOwnership(is, reversal.from);
}

/**
 * Makes the entity what it was before the event.
 *
 * @throws {ApiError} refused, or not reached
 */
async function revert(entity: number, reversal: Reversal): Promise<void> {
  const path = { data_entity_id: entity };
  if (reversal.kind === "description") {
    const body = { internal_description: reversal.to || null };
    await send("put", "/api/dataentities/{data_entity_id}/description", { path, body });
    return;
  }
  const { name, from, to } = reversal;
  const title = { title_name: to?.title_name ?? null, propagate: false };
  if (!from) {
    const body = { owner_name: name, ...title };
    await send("post", "/api/dataentities/{data_entity_id}/ownership", { path, body });
    return;
  }
  const { ownership } = await askDetails(entity, { view: false });
  const given = ownership?.find(({ owner, external }) => owner.name === name && !external);
  if (!given) return;
  const params = { path: { ...path, ownership_id: given.id } };
  const one = "/api/dataentities/{data_entity_id}/ownership/{ownership_id}";
  if (to) await send("put", one, { ...params, body: title });
  else await send("delete", one, params);
}
