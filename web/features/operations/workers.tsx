import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Card } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { everyMs, Unknown } from "#web/features/operations/known.tsx";
import { WorkerState } from "#web/features/operations/worker-state.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

type Worker = Schema<"OpsWorker">;
type Process = Schema<"OpsProcess">;

/** Workers of every process: those that are not ready first, with what to do. */
export function Workers() {
  const query = useQuery({ ...read("/api/ops/workers"), refetchInterval: everyMs });
  return (
    <Shown of={query} what={t("operations.workers")} bones={8}>
      {({ state, cause, items }) => (
        <>
          {state === "unknown" && (
            <Note tone="warn">
              Could not list other processes{cause && `: ${cause}`}
            </Note>
          )}
          {items.map((process) => <OneProcess key={process.id} process={process} />)}
        </>
      )}
    </Shown>
  );
}

function OneProcess({ process }: { process: Process }) {
  const { id, own, state, cause, services, version, started_at, seen_at, workers } = process;
  const rows = workers.toSorted((a, b) => Number(a.ready) - Number(b.ready));
  return (
    <Card title={`Workers of ${id}`} flush>
      <div className={styles.lead}>
        {state === "unknown"
          ? <Unknown cause={cause} />
          : <Badge tone="good">{t("operations.up")}</Badge>}{" "}
        <span className="soft">
          {own && t("operations.thisProcess")}
          {services.join(", ")}, release {version}, begun <Time at={started_at} />
          {state === "unknown" && (
            <>
              , heard of <Time at={seen_at} />
            </>
          )}
        </span>
      </div>
      <Table label={`Workers of ${id}`} columns={columns} rows={rows} keyOf={({ name }) => name} />
    </Card>
  );
}

const columns: Column<Worker>[] = [
  { name: "Worker", cell: ({ name }) => <span className="foreign">{name}</span> },
  { name: "State", cell: (worker) => <WorkerState of={worker} /> },
  { name: "Result", cell: ({ meaning }) => meaning },
  { name: "What to do", cell: ({ action }) => action },
  { name: "How long", cell: ({ takes }) => takes },
];
