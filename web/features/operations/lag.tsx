import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { everyMs, Known, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Consumer = Schema<"OpsConsumerLag">;

/** Records that each consumer of the event log has still to do. */
export function Lag() {
  const query = useQuery({ ...read("/api/ops/lag"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.consumerLag")} flush>
      <Shown of={query} what={t("operations.lag2")} bones={5}>
        {({ items, lag }) =>
          items.length === 0 ? <Empty title={t("operations.noConsumers")} /> : (
            <>
              <p className={styles.lead}>
                <Behind lag={lag} />
              </p>
              <Table
                label={t("operations.consumerLag")}
                columns={columns()}
                rows={items}
                keyOf={({ group, topic }) => `${group} ${topic}`}
              />
            </>
          )}
      </Shown>
    </Card>
  );
}

function Behind({ lag }: { lag: number | null | undefined }) {
  const strong = <strong />;
  return lag == null
    ? <Rich of="operations.unknownBehind" values={{ lag: <Unknown /> }} tags={{ strong }} />
    : <Rich of="operations.recordsBehind" values={{ count: lag }} tags={{ strong }} />;
}

const columns = (): Column<Consumer>[] => [
  {
    name: t("operations.consumer"),
    cell: ({ group, topic }) => (
      <div className={styles.two}>
        <span className="foreign">{group}</span>
        <span className="foreign soft">{topic}</span>
      </div>
    ),
  },
  {
    name: t("operations.lag"),
    right: true,
    cell: ({ state, cause, lag }) =>
      state === "unknown" ? <Unknown cause={cause} /> : <Known value={lag} />,
  },
  { name: t("operations.byPartition"), cell: (one) => <Partitions of={one} /> },
];

function Partitions({ of: { partitions } }: { of: Consumer }) {
  const behind = partitions.filter(({ lag }) => lag > 0);
  if (partitions.length === 0) return null;
  return (
    <details>
      <summary>
        {t("operations.partitionsBehind", {
          behind: count(behind.length),
          all: count(partitions.length),
        })}
      </summary>
      <ul>
        {partitions.map(({ partition, lag, committed, end }) => (
          <li key={partition}>
            <Rich
              of="operations.partitionLag"
              values={{
                partition,
                lag: count(lag),
                committed: count(committed),
                end: count(end),
              }}
              tags={{ soft: <span className="soft" /> }}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
