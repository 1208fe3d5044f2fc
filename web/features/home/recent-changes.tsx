import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { plural, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Time } from "#web/kit/time.tsx";
import { verbOf } from "#web/components/activity-texts.ts";
import { EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

type Group = Schema<"ActivityGroup">;

/** What happened lately, the events of a batch as one; left out where nothing has happened. */
export function RecentChanges() {
  const { data } = useQuery(reads.changes);
  if (!data?.items.length) return null;
  return (
    <Card
      title={t("home.recentChanges")}
      actions={<Link to="/activity" className={styles.all}>{t("home.allActivity")}</Link>}
    >
      <ul className={styles.entities}>
        {data.items.map((group) => (
          <li
            key={`${group.event_type} ${group.last_at} ${whoOf(group)}`}
            className={styles.spread}
          >
            <span className={styles.change}>
              <span className={styles.who}>{whoOf(group)}</span> {verbOf(group.event_type)}{" "}
              <Assets of={group} />
            </span>
            <span className={styles.when}>
              <Time at={group.last_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function whoOf({ created_by: by, data_source: source, system_event }: Group): string {
  const person = by?.owner?.name ?? by?.identity.username;
  return person ?? source?.name ?? (system_event ? "The catalogue" : "Anonymous");
}

/** The asset by its name; of several their number, which leads to their events. */
function Assets({ of }: { of: Group }) {
  const [first] = of.examples;
  if (of.entities === 1 && first) return <EntityLink of={first} tab="activity" />;
  if (!first) return words(of.event_type).toLowerCase();
  const names = of.examples.map(nameOf).join(", ");
  const others = of.entities - of.examples.length;
  return (
    <Link
      to="/activity"
      search={{
        event: of.event_type,
        source: of.data_source && String(of.data_source.id),
      } as never}
      title={others > 0 ? `${names} and ${plural(others, "other")}` : names}
    >
      {!of.complete && t("home.atLeast")}
      {plural(of.entities, "asset")}
    </Link>
  );
}
