import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Domains, Links, Popular, Usage } from "#web/features/home/catalogue-lists.tsx";
import { Health } from "#web/features/home/health.tsx";
import { byLateness, type Fresh } from "#web/features/home/lateness.ts";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Card } from "#web/kit/page.tsx";
import { durationText, Time } from "#web/kit/time.tsx";
import { listText, noun } from "#web/kit/numbers.ts";
import { EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { useCan, useIdentity } from "#web/components/permissions.ts";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Next to the main column, below the favorites: one's own assets, then the catalogue. */
export function Side() {
  return (
    <>
      <Freshness />
      <Health />
      <Ingestion />
      <Usage />
      <Popular />
      <Domains />
      <Links />
    </>
  );
}

const maxShown = 8;

/** Whether what one owns or starred was updated as usual, the late ones first; left out where that is known of none. */
function Freshness() {
  const assets = useAssets();
  const { data } = useQuery({
    ...read("/api/dataentities/health", { query: { ids: assets.map(({ id }) => id) } }),
    enabled: assets.length > 0,
  });
  const known = byLateness(assets, data?.items ?? []);
  if (known.length === 0) return null;
  const late = known.filter(({ freshness }) => freshness.state === "LATE").length;
  return (
    <Card
      title={t("home.freshness")}
      actions={late > 0 && <Badge tone="bad">{t("home.lateCount", { count: late })}</Badge>}
    >
      <ul className={styles.entities}>
        {known.slice(0, maxShown).map((one) => <Asset key={one.asset.id} of={one} />)}
      </ul>
    </Card>
  );
}

function Asset({ of: { asset, freshness } }: { of: Fresh<Schema<"DataEntityRef">> }) {
  return (
    <li>
      <span className={styles.spread}>
        <EntityLink of={asset} />
        {freshness.state === "LATE" && <Badge tone="bad">{t("home.late")}</Badge>}
      </span>
      <div className="soft">
        <Rich
          of="home.updatedUsually"
          values={{
            time: <Time at={freshness.last_updated_at} />,
            every: durationText(freshness.usual_gap_seconds),
          }}
        />
      </div>
    </li>
  );
}

/** What the signed-in person owns, then what they starred; each once, as many as health is read of at once. */
function useAssets(): Schema<"DataEntityRef">[] {
  const owner = useIdentity().data?.owner;
  const query = { page: 1, size: 100 };
  const mine = useQuery({ ...read("/api/dataentities/my", { query }), enabled: Boolean(owner) });
  const starred = useQuery(reads.favorites);
  const all = [
    ...mine.data ?? [],
    ...(starred.data?.items ?? []).flatMap(({ data_entity: one }) => one ? [one] : []),
  ];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

type History = Schema<"OpsHistory">;

const sum = (series: number[]) => series.reduce((all, one) => all + one, 0);

/** What came in over the last day, for those who may see operations; left out where nothing came. */
function Ingestion() {
  const can = useCan()("OPERATIONS_VIEW");
  const { data } = useQuery({ ...read("/api/ops/history"), enabled: can });
  if (!can || !data) return null;
  const [batches, items] = [sum(data.batches), sum(data.items)];
  const [refused, left] = [sum(data.refused_batches), sum(data.refused_items)];
  if (batches + refused === 0) return null;
  return (
    <Card
      title={t("home.ingestionLast24Hours")}
      actions={<Link to="/operations" className={styles.all}>{t("home.operations")}</Link>}
    >
      <div className={styles.ingestion}>
        <div>{t("home.batchesAndItems", { batches, items })}</div>
        <Bars of={hourly(data)} />
        {refused > 0 && (
          <Link to="/operations" className={styles.refused}>
            {t("home.batchesRefused", { count: refused })}
          </Link>
        )}
        {left > 0 && (
          <div className={styles.refused}>
            {t("home.itemsRefused", { count: left })}
          </div>
        )}
      </div>
    </Card>
  );
}

/** Items of each hour. */
function hourly({ items, step_seconds: step }: History): number[] {
  const perHour = 3_600 / step;
  return Array.from(
    { length: items.length / perHour },
    (_, hour) => sum(items.slice(hour * perHour, (hour + 1) * perHour)),
  );
}

const height = 32;

/** A picture of a few numbers next to a text with the same content: a bar for each, the highest as high as the picture. */
function Bars({ of }: { of: number[] }) {
  const most = of.reduce((max, one) => Math.max(max, one), 1);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${of.length * 10} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {of.map((one, at) => {
        const size = one === 0 ? 1 : Math.max(3, one / most * height);
        return <rect key={at} x={at * 10 + 1} width={8} y={height - size} height={size} />;
      })}
    </svg>
  );
}

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
                of={changeKey(group)}
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

/** The message of what events of this type did; its values are `who` and `what`. */
// deno-lint-ignore house/interface-text -- a key of a message
const changeKey = ({ event_type }: Group) => `components.change.${event_type}` as const;

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
