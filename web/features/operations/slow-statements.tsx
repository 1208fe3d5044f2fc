import { useQuery } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { Source, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

type Statement = Schema<"OpsSlowStatement">;

/** Milliseconds between two reads: processes report every minute. */
const everyMs = 60_000;

/** SQL statements that took long over the last day. */
export function SlowStatements() {
  const query = useQuery({ ...read("/api/ops/slow-statements"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.slowQueriesLast24Hours")} flush>
      <Shown of={query} what={t("operations.slowQueries")} bones={3}>
        {({ state, cause, items, threshold_ms: threshold }) => (
          <>
            {state === "unknown" && (
              <p className={styles.lead}>
                <Unknown cause={cause} />
              </p>
            )}
            {state === "known" && (items.length === 0
              ? (
                <Empty title={t("operations.noSlowQueries")} icon={<Zap aria-hidden />}>
                  {t("operations.noStatementTook", { threshold: count(threshold) })}
                </Empty>
              )
              : (
                <Table
                  label={t("operations.slowQueries2")}
                  columns={columns()}
                  rows={items}
                  keyOf={({ statement }) => statement}
                />
              ))}
            <div className={styles.lead}>
              <Source>
                {t("operations.fromStatements", { threshold: count(threshold) })}
              </Source>
            </div>
          </>
        )}
      </Shown>
    </Card>
  );
}

const ms = (value: number) => t("operations.milliseconds", { count: count(value) });

const columns = (): Column<Statement>[] => [
  {
    name: t("operations.statement"),
    cell: ({ statement }) => <code className="foreign">{statement}</code>,
  },
  { name: t("operations.slowCalls"), right: true, cell: ({ calls }) => count(calls) },
  {
    name: t("operations.mean"),
    right: true,
    cell: ({ calls, total_ms }) => ms(Math.round(total_ms / calls)),
  },
  { name: t("operations.longest"), right: true, cell: ({ max_ms }) => ms(max_ms) },
  { name: t("operations.total"), right: true, cell: ({ total_ms }) => ms(total_ms) },
  {
    name: t("operations.lastInTheHourOf"),
    tight: true,
    cell: ({ last_hour }) => <Time at={last_hour} />,
  },
];
