import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { History } from "lucide-react";
import { rowsOf, usePages } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { SelectField } from "#web/kit/field.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { actionsColumn, type Column, Table, textColumn } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { words } from "#web/kit/numbers.ts";
import { Chart } from "#web/components/chart/chart.tsx";
import { RunStatusBadge, runStatuses, runStatusOptions } from "#web/components/status.tsx";
import { readDetails } from "#web/components/entity-details.tsx";
import { MorePages } from "#web/components/paged-table.tsx";
import { ImpactLink } from "#web/components/impact.tsx";
import { durationOf, durationsOf, durationText } from "#web/features/quality/runs.ts";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

type Run = Schema<"DataEntityRun">;

/** Runs of a test or a job: a bar for each, and a table. */
export function HistoryTab() {
  const id = Number(useParams({ strict: false }).id);
  const [params, change] = useParamsOfView();
  const status = oneOf(params.status, runStatuses);
  const query = usePages("/api/dataentities/{data_entity_id}/runs", {
    path: { data_entity_id: id },
    query: { status },
  });
  return (
    <div className={styles.stack}>
      <Toolbar>
        <SelectField
          label={t("kit.status")}
          hideLabel
          value={status ?? ""}
          options={[["", t("quality.anyStatus")], ...runStatusOptions()]}
          onChange={({ target }) => change({ status: target.value })}
        />
      </Toolbar>
      <Shown of={query} what={t("quality.runs")} bones={8}>
        {(data) => {
          const runs = rowsOf<Run>(data);
          if (runs.length === 0) return <NoRuns filtered={status !== undefined} />;
          return (
            <>
              <Durations runs={runs} />
              <Card flush>
                <RunTable entity={id} runs={runs} />
                <MorePages of={query} shown={runs.length} />
              </Card>
            </>
          );
        }}
      </Shown>
    </div>
  );
}

/** How long the runs took that the table lists, and which failed; nothing while none has ended. */
function Durations({ runs }: { runs: Run[] }) {
  const { times, series } = durationsOf(runs);
  if (times.length === 0) return null;
  return (
    <Card title={t("quality.duration")}>
      <Chart
        label={t("quality.durationOfRuns")}
        kind="bars"
        stacked
        times={times}
        series={series}
        format={durationText}
      />
    </Card>
  );
}

function NoRuns({ filtered }: { filtered: boolean }) {
  return (
    <Card>
      <Empty
        title={filtered ? t("quality.noRunHasThisStatus") : t("quality.noRunsYet")}
        icon={<History aria-hidden />}
      >
        {filtered
          ? t("quality.chooseAnotherStatusToSee")
          : t("quality.collectorsOfSchedulersAndTest")}
      </Empty>
    </Card>
  );
}

function RunTable({ entity, runs }: { entity: number; runs: Run[] }) {
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
    textColumn(t("quality.why"), ({ status_reason }) => status_reason),
    actionsColumn(({ status, name }) =>
      (status === "FAILED" || status === "BROKEN") && <ImpactLink id={hurt} of={name} />
    ),
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
