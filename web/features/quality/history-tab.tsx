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
import { runStatuses, runStatusOptions } from "#web/components/run-status.tsx";
import { RunBars } from "#web/features/quality/run-bars.tsx";
import { RunTable } from "#web/features/quality/run-table.tsx";
import styles from "#web/features/quality/quality.module.css";

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
          label="Status"
          hideLabel
          value={status ?? ""}
          options={[["", "Any status"], ...runStatusOptions]}
          onChange={({ target }) => change({ status: target.value })}
        />
      </Toolbar>
      <Shown of={query} what="runs" bones={8}>
        {(data) => {
          const runs = rowsOf<Run>(data);
          if (runs.length === 0) return <NoRuns filtered={status !== undefined} />;
          return (
            <>
              <Card title="Duration">
                <RunBars runs={runs} />
              </Card>
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

function NoRuns({ filtered }: { filtered: boolean }) {
  return (
    <Card>
      <Empty
        title={filtered ? "No run has this status" : "No runs yet"}
        icon={<History aria-hidden />}
      >
        {filtered
          ? "Choose another status to see the others."
          : "Collectors of schedulers and test suites report runs."}
      </Empty>
    </Card>
  );
}
