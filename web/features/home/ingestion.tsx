import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, type Schema } from "#web/api/client.ts";
import { Card } from "#web/kit/page.tsx";
import { useCan } from "#web/components/permissions.ts";
import { Bars } from "#web/features/home/bars.tsx";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

type History = Schema<"OpsHistory">;

const sum = (series: number[]) => series.reduce((all, one) => all + one, 0);

/** What came in over the last day, for those who may see operations; left out where nothing came. */
export function Ingestion() {
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
