import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { listText, noun } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Time } from "#web/kit/time.tsx";
import { changeKey } from "#web/components/activity-texts.ts";
import { EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

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
              <Rich
                of={changeKey(group.event_type)}
                values={{
                  who: <span className={styles.who}>{whoOf(group)}</span>,
                  what: <Assets of={group} />,
                }}
              />
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
  return person ?? source?.name ??
    (system_event ? t("home.theCatalogueItself") : t("home.anonymous"));
}

/** The asset by its name; of several their number, which leads to their events. */
function Assets({ of }: { of: Group }) {
  const [first] = of.examples;
  if (of.entities === 1 && first) return <EntityLink of={first} tab="activity" />;
  if (!first) return noun(of.event_type);
  const names = listText(of.examples.map(nameOf));
  const others = of.entities - of.examples.length;
  return (
    <Link
      to="/activity"
      search={{
        event: of.event_type,
        source: of.data_source && String(of.data_source.id),
      } as never}
      title={others > 0 ? t("home.namesAndOthers", { names, count: others }) : names}
    >
      {of.complete
        ? t("home.assets", { count: of.entities })
        : t("home.atLeastAssets", { count: of.entities })}
    </Link>
  );
}
