import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { History } from "lucide-react";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { SelectField } from "#web/kit/field.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { Chart } from "#web/components/chart/chart.tsx";
import { runStatuses, runStatusOptions } from "#web/components/run-status.tsx";
import { RunTable } from "#web/features/quality/run-table.tsx";
import { durationsOf, durationText } from "#web/features/quality/runs.ts";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

type Run = Schema<"DataEntityRun">;

/** Runs of a test or a job: a bar for each, and a table. */
export function HistoryTab() {
  const id = Number(useParams({ strict: false }).id);
  const [params, change] = useParamsOfView();
  const status = oneOf(params.status, runStatuses);
  const query = useInfiniteQuery(
    readPages("/api/dataentities/{data_entity_id}/runs", {
      params: { path: { data_entity_id: id }, query: { status } },
    }),
  );
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
                <More
                  shown={runs.length}
                  total={totalOf(data)}
                  hasNext={query.hasNextPage}
                  busy={query.isFetchingNextPage}
                  onMore={() => void query.fetchNextPage()}
                />
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
