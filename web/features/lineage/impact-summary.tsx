import { Link2 } from "lucide-react";
import { Link } from "@tanstack/react-router";
import { Button } from "#web/kit/button.tsx";
import { copyAddress } from "#web/kit/copy.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { count, counted, shortCount } from "#web/kit/numbers.ts";
import { shown } from "#web/graph/text.ts";
import { useImpactCounts } from "#web/components/impact.tsx";
import styles from "#web/features/lineage/panel.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Owners that are named; of the others only their number. */
const maxOwners = 5;

/** What a change of an entity reaches, all the way: by type, whose it is, and how much of it has open alerts. */
export function ImpactSummary({ id, name }: { id: number; name: string }) {
  const impact = useImpactCounts(id);
  if (!impact) return null;
  const { total, types, owners, unowned, open_alerts: alerts } = impact;
  const more = owners.length - maxOwners;
  return (
    <section className={styles.summary} aria-label={t("lineage.impact")}>
      <strong>
        {total === 0
          ? t("lineage.nothingIsDownstreamOf", { name: shown(name) })
          : t("lineage.downstreamOf", { total: count(total), name: shown(name) })}
      </strong>
      {types.map(({ type, total }) => (
        <span key={type?.name ?? ""}>
          {counted(total, type?.name ?? "DATA_ENTITY")}
        </span>
      ))}
      {alerts > 0 && <span className={styles.alert}>{t("lineage.openAlerts", { alerts })}</span>}
      {owners.length > 0 && (
        <span>
          <Rich
            of="lineage.ownersToNotify"
            values={{
              owners: owners.slice(0, maxOwners).map(({ id, name, total }, at) => (
                <span key={id}>
                  {at > 0 && ", "}
                  {shown(name)} ({count(total)})
                </span>
              )),
              more: more > 0 ? ` ${t("kit.andMore", { count: more })}` : "",
            }}
          />
        </span>
      )}
      {unowned > 0 && (
        <span>
          <Rich of="lineage.withoutOwner" values={{ unowned: count(unowned) }} />
        </span>
      )}
      <span className="grow" />
      {owners.length > 0 && <NotifyOwners {...{ id, name, impact }} />}
      <Button small onClick={() => void copyAddress()}>
        <Link2 aria-hidden />
        {t("lineage.copyLink")}
      </Button>
    </section>
  );
}

const NotifyOwners = lazyComponent(() =>
  import("#web/features/lineage/notify-owners.tsx").then((all) => all.NotifyOwners)
);

export function ReachedCount({ id }: { id: number }) {
  const total = useImpactCounts(id)?.total;
  if (total === undefined) return null;
  return (
    <span className="soft" title={t("lineage.downstream2", { total: count(total) })}>
      {shortCount(total)}
    </span>
  );
}

/** What is made from a column, to the end, and what reads the tables that it reaches. */
export function ColumnImpact({ dataset, column }: { dataset: number; column: string }) {
  const impact = useImpactCounts(dataset, column);
  if (!impact) return null;
  const { columns, consumers } = impact;
  if (columns?.length === 0 && consumers?.length === 0) return null;
  return (
    <div
      className={styles.columnimpact}
      role="region"
      aria-label={t("lineage.impactOf", { column: shown(column) })}
    >
      <h2>
        <Rich of="lineage.columnsMadeFromIt" values={{ count: columns?.length ?? 0 }} />
      </h2>
      <ul>
        {columns?.map(({ dataset_id, dataset_name, name }) => (
          <li key={`${dataset_id}.${name}`}>
            <Link to="/dataentities/$id/structure" params={{ id: String(dataset_id) }}>
              {shown(dataset_name)}.{shown(name)}
            </Link>
          </li>
        ))}
      </ul>
      <h2>
        <Rich of="lineage.tableConsumers" values={{ count: consumers?.length ?? 0 }} />
      </h2>
      <ul>
        {consumers?.map(({ id, name }) => (
          <li key={id}>
            <Link to="/dataentities/$id/overview" params={{ id: String(id) }}>{shown(name)}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
