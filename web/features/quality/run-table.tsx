import type { Schema } from "#web/api/client.ts";
import { useQuery } from "@tanstack/react-query";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { words } from "#web/kit/numbers.ts";
import { readDetails } from "#web/components/entity-details.ts";
import { ImpactLink } from "#web/components/impact-link.tsx";
import { RunStatusBadge } from "#web/components/run-status.tsx";
import { durationOf, durationText } from "#web/features/quality/runs.ts";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

type Run = Schema<"DataEntityRun">;

export function RunTable({ entity, runs }: { entity: number; runs: Run[] }) {
  const hurt = useHurt(entity);
  const columns: Column<Run>[] = [
    {
      name: t("kit.status"),
      tight: true,
      cell: ({ status }) => <RunStatusBadge status={status} />,
    },
    {
      name: t("quality.run"),
      cell: (run) => (
        <>
          <span className="foreign">{run.name}</span>
          <RunMetadata of={run} />
        </>
      ),
    },
    {
      name: t("quality.started"),
      cell: ({ start_time }) => <Time at={start_time} none={t("kit.unknown")} />,
    },
    {
      name: t("quality.ended"),
      cell: ({ end_time }) => <Time at={end_time} none={t("kit.notYet")} />,
    },
    { name: t("quality.took"), right: true, cell: (run) => <Took run={run} /> },
    {
      name: t("quality.why"),
      cell: ({ status_reason }) => <span className="foreign">{status_reason}</span>,
    },
    {
      name: t("kit.actions"),
      hideName: true,
      tight: true,
      cell: ({ status, name }) =>
        (status === "FAILED" || status === "BROKEN") && <ImpactLink id={hurt} of={name} />,
    },
  ];
  return <Table label={t("quality.runs2")} columns={columns} rows={runs} keyOf={({ id }) => id} />;
}

function Took({ run }: { run: Run }) {
  const took = durationOf(run);
  return took === undefined
    ? (
      <span className="soft">
        {run.status === "RUNNING" ? t("quality.running") : t("kit.unknown")}
      </span>
    )
    : <>{durationText(took)}</>;
}

/** What suffers when it fails: the dataset that a test tests, else itself. */
function useHurt(entity: number): number {
  const { data } = useQuery({ ...readDetails(entity), refetchOnMount: false });
  return data?.datasets_list?.[0]?.id ?? entity;
}

/** Further details of a run from its source, collapsed by default. */
function RunMetadata({ of: { metadata } }: { of: Schema<"DataEntityRun"> }) {
  const values = Object.entries(metadata ?? {}).sort(([a], [b]) => a < b ? -1 : 1);
  if (values.length === 0) return null;
  return (
    <details>
      <summary className="soft">{t("quality.detailCount", { count: values.length })}</summary>
      <dl className={styles.metadata}>
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd className="foreign">{shown(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Lists are texts of JSON: an entry a line. */
function shown(value: string): string {
  if (!value.startsWith("[")) return value;
  try {
    const list: unknown = JSON.parse(value);
    const texts = Array.isArray(list) && list.every((each) => typeof each === "string");
    return texts ? list.join("\n") : value;
  } catch {
    return value;
  }
}
