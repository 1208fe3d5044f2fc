import { Bot, User } from "lucide-react";
import { useState } from "react";
import { Time } from "#web/kit/time.tsx";
import { Event } from "#web/features/activity/event.tsx";
import { type EventGroup, whoOf } from "#web/features/activity/groups.ts";
import styles from "#web/features/activity/activity.module.css";
import { t } from "#web/messages/text.ts";
import { groupKeys } from "#web/features/activity/group-keys.ts";

/** An event, or several that belong together as one line that opens. `entity`: whose page it is, if it is that of one. */
export function Group(
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
      <span className={styles.who}>
        {first.system_event ? <Bot aria-hidden /> : <User aria-hidden />}
        <span className="truncate">{of.who}</span>
      </span>
      <details
        className={styles.group}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <strong>{textOf(of, entity !== undefined)}</strong>
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
function textOf({ events, entities, complete }: EventGroup, ofEntity: boolean): string {
  if (ofEntity) {
    const changes = { count: events.length };
    return complete ? t("activity.changesAtOnce", changes) : t("activity.atLeastChanges", changes);
  }
  const assets = { count: entities };
  const what = complete ? t("activity.assets", assets) : t("activity.atLeastAssets", assets);
  return t(groupKeys[events[0]!.event_type], { what });
}
