import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Card } from "#web/kit/page.tsx";
import { durationText, Time } from "#web/kit/time.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { useIdentity } from "#web/components/permissions.ts";
import { byLateness, type Fresh } from "#web/features/home/lateness.ts";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

const maxShown = 8;

/** Whether what one owns or starred was updated as usual, the late ones first; left out where that is known of none. */
export function Freshness() {
  const assets = useAssets();
  const { data } = useQuery({
    ...read("/api/dataentities/health", { params: { query: { ids: assets.map(({ id }) => id) } } }),
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
  const mine = useQuery({
    ...read("/api/dataentities/my", { params: { query } }),
    enabled: Boolean(owner),
  });
  const starred = useQuery(reads.favorites);
  const all = [
    ...mine.data ?? [],
    ...(starred.data?.items ?? []).flatMap(({ data_entity: one }) => one ? [one] : []),
  ];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}
