import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Choice } from "#web/kit/button.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, Table, timeColumn } from "#web/kit/table.tsx";
import { alertTypeText } from "#web/components/alerts.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

type Alert = Schema<"Alert">;
type View = keyof typeof paths;

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
  timeColumn(t("home.since"), ({ created_at }) => created_at),
];

/** Alerts that are open: of what one owns, upstream of that, or all. */
export function OpenAlerts({ mine }: { mine: boolean }) {
  const [view, setView] = useState<View>();
  const shown = view ?? (mine ? "mine" : "all");
  const totals = useQuery(reads.totals).data;
  const text = (name: string, total: number | undefined) =>
    `${name} ${total === undefined ? "" : count(total)}`;
  const views: [View, string][] = [
    ["mine", text(t("home.myAssets"), totals?.my_total)],
    ["dependents", text(t("home.upstream"), totals?.dependent_total)],
    ["all", text(t("home.all"), totals?.total)],
  ];
  return (
    <Card
      title={t("kit.openAlerts")}
      flush
      actions={
        <>
          {mine && <Choice of={views} value={shown} onValue={setView} />}
          <Link to="/alerts" className={styles.all}>{t("kit.allAlerts")}</Link>
        </>
      }
    >
      <List view={shown} />
    </Card>
  );
}

const paths = {
  mine: "/api/alerts/my",
  dependents: "/api/alerts/dependents",
  all: "/api/alerts",
} as const;
const query = { page: 1, size: 8 };

function List({ view }: { view: View }) {
  const result = useQuery({ ...read(paths[view], { query }), placeholderData: undefined });
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
