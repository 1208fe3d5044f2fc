import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { listText, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { type Column, Table, textColumn } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { everyMs, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { Rich } from "#web/messages/rich.tsx";
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
              {cause ? t("operations.couldNotListWhy", { cause }) : t("operations.couldNotList")}
            </Note>
          )}
          {items.map((process) => <OneProcess key={process.id} process={process} />)}
        </>
      )}
    </Shown>
  );
}

function OneProcess({ process }: { process: Process }) {
  const { id, state, cause, workers } = process;
  const title = t("operations.workersOf", { id });
  const rows = workers.toSorted((a, b) => Number(a.ready) - Number(b.ready));
  return (
    <Card title={title} flush>
      <div className={styles.lead}>
        {state === "unknown"
          ? <Unknown cause={cause} />
          : <Badge tone="good">{t("operations.up")}</Badge>}{" "}
        <span className="soft">
          <AboutProcess of={process} />
        </span>
      </div>
      <Table label={title} columns={columns()} rows={rows} keyOf={({ name }) => name} />
    </Card>
  );
}

/** The process that answers is never unknown. */
function AboutProcess({ of }: { of: Process }) {
  const values = {
    services: listText(of.services),
    release: of.version,
    begun: <Time at={of.started_at} />,
  };
  if (of.own) return <Rich of="operations.aboutOwnProcess" values={values} />;
  if (of.state !== "unknown") return <Rich of="operations.aboutProcess" values={values} />;
  const heard = <Time at={of.seen_at} />;
  return <Rich of="operations.aboutUnknownProcess" values={{ ...values, heard }} />;
}

const columns = (): Column<Worker>[] => [
  textColumn(t("operations.worker"), ({ name }) => name),
  { name: t("operations.state"), cell: (worker) => <WorkerState of={worker} /> },
  { name: t("operations.result"), cell: ({ meaning }) => meaning },
  { name: t("operations.whatToDo"), cell: ({ action }) => action },
  { name: t("operations.howLong"), cell: ({ takes }) => takes },
];

/** How a worker stands, since when, and why. */
export function WorkerState({ of }: { of: Schema<"OpsWorker"> }) {
  return (
    <span>
      <Badge
        tone={of.ready ? "good" : "bad"}
        icon={of.ready ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
      >
        {words(of.state)}
      </Badge>{" "}
      <span className="soft">
        <Rich of="operations.since" values={{ time: <Time at={of.since} /> }} />
      </span>
      {of.cause && <div className="foreign">{of.cause}</div>}
    </span>
  );
}
