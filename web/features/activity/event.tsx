import { Bot, User } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";
import { Time } from "#web/kit/time.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { type Change, changesOf } from "#web/features/activity/changes.ts";
import { Revert } from "#web/features/activity/revert.tsx";
import styles from "#web/features/activity/activity.module.css";
import { t } from "#web/messages/text.ts";

/** One event: who did what to which entity, and what it changed. */
export function Event(
  { of, who, entity }: {
    of: Schema<"Activity">;
    who: string;
    /** Whose page it is, if it is that of one. */
    entity: number | undefined;
  },
) {
  const { event_type, created_at, data_entity, system_event } = of;
  return (
    <li className={styles.event}>
      <span className={styles.who}>
        {system_event ? <Bot aria-hidden /> : <User aria-hidden />}
        <span className="truncate">{who}</span>
      </span>
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
