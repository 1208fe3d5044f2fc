import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { alertTypeText } from "#web/components/alerts.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

type Alert = Schema<"Alert">;
type View = "mine" | "dependents" | "all";

const columns = (): Column<Alert>[] => [
  {
    name: t("home.what"),
    cell: ({ type }) => <Badge tone="bad">{alertTypeText(type)}</Badge>,
    tight: true,
  },
  {
    name: t("home.where"),
    cell: ({ data_entity, data_source }) =>
      data_entity ? <EntityLink of={data_entity} tab="alerts" /> : <span>{data_source?.name}</span>,
  },
  { name: t("home.since"), cell: ({ created_at }) => <Time at={created_at} />, tight: true },
];

/** Alerts that are open: of what one owns, upstream of that, or all. */
export function OpenAlerts({ mine }: { mine: boolean }) {
  const [view, setView] = useState<View>();
  const shown = view ?? (mine ? "mine" : "all");
  const totals = useQuery(reads.totals).data;
  const views: [View, string, number | undefined][] = [
    ["mine", t("home.myAssets"), totals?.my_total],
    ["dependents", t("home.upstream"), totals?.dependent_total],
    ["all", t("home.all"), totals?.total],
  ];
  return (
    <Card
      title={t("kit.openAlerts")}
      flush
      actions={
        <>
          {mine &&
            views.map(([one, name, total]) => (
              <Button
                key={one}
                small
                variant="quiet"
                aria-pressed={one === shown}
                onClick={() => setView(one)}
              >
                {name} {total === undefined ? "" : count(total)}
              </Button>
            ))}
          <Link to="/alerts" className={styles.all}>{t("kit.allAlerts")}</Link>
        </>
      }
    >
      <List view={shown} />
    </Card>
  );
}

const query = { page: 1, size: 8 };

function List({ view }: { view: View }) {
  const all = useQuery({ ...reads.alerts, enabled: view === "all" });
  const my = useQuery({
    ...read("/api/alerts/my", { params: { query } }),
    enabled: view === "mine",
  });
  const dependents = useQuery({
    ...read("/api/alerts/dependents", { params: { query } }),
    enabled: view === "dependents",
  });
  const result = { all, mine: my, dependents }[view];
  return (
    <div className={styles.list}>
      <Shown of={result} what={t("home.alerts")} bones={5}>
        {({ items }) =>
          items.length === 0
            ? <Empty title={t("home.noOpenAlerts")} icon={<CircleCheck aria-hidden />} />
            : (
              <Table
                label={t("kit.openAlerts")}
                columns={columns()}
                rows={items}
                keyOf={({ id }) => id}
              />
            )}
      </Shown>
    </div>
  );
}
