import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { rowsOf, usePages } from "#web/api/pages.ts";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { wordOptions, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { actionsColumn, type Column, Table, textColumn } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { SelectField } from "#web/kit/field.tsx";
import { toast } from "#web/kit/toast.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import { MorePages } from "#web/components/paged-table.tsx";
import { complain } from "#web/components/undo.ts";
import { ImpactLink } from "#web/components/impact.tsx";
import { useCan } from "#web/components/permissions.ts";
import { RunStatusBadge, runStatuses } from "#web/components/status.tsx";
import { t } from "#web/messages/text.ts";
import styles from "#web/features/quality/quality.module.css";

type Test = Schema<"DataEntity">;

/** Tests of the dataset with their latest runs; the address may narrow them to a status. */
export function TestList({ dataset }: { dataset: number }) {
  const [params, change] = useParamsOfView();
  const canSet = useCan("DATA_ENTITY", dataset)("DATASET_TEST_RUN_SET_SEVERITY");
  const status = oneOf(params.status, runStatuses);
  const query = usePages("/api/datasets/{data_entity_id}/dataqatests", {
    path: { data_entity_id: dataset },
  }, 200);
  return (
    <Card
      title={status ? t("quality.testsThatAre", { status: words(status) }) : t("kit.tests")}
      flush
    >
      <Shown of={query} what={t("quality.tests")} bones={6}>
        {(data) => {
          const all = rowsOf<Test>(data);
          const tests = all.filter((test) => !status || statusOf(test) === status);
          if (all.length === 0) return <NoTests />;
          return (
            <>
              {tests.length === 0
                ? (
                  <Empty
                    title={t("quality.noTestIs", { status: status! })}
                    action={
                      <Button onClick={() => change({ status: undefined })}>
                        {t("quality.showAll")}
                      </Button>
                    }
                  />
                )
                : (
                  <Table
                    label={t("kit.tests")}
                    columns={columnsOf(dataset, canSet)}
                    rows={tests}
                    keyOf={({ id }) => id}
                  />
                )}
              <MorePages of={query} shown={all.length} />
            </>
          );
        }}
      </Shown>
    </Card>
  );
}

/** A test that never ran is as unknown as one that told nothing. */
const statusOf = ({ latest_run: run }: Test) => run?.status ?? "UNKNOWN";

function NoTests() {
  return (
    <Empty title={t("quality.nothingTestsThisDataset")} icon={<ShieldCheck aria-hidden />}>
      {t("quality.testsComeWithWhatCollectors")}
    </Empty>
  );
}

function columnsOf(dataset: number, canSet: boolean): Column<Test>[] {
  return [
    { name: t("quality.test"), cell: (test) => <EntityLink of={test} tab="history" /> },
    {
      name: t("quality.suite"),
      cell: ({ suite_name, suite_url }) => <Suite name={suite_name} url={suite_url} />,
    },
    {
      name: t("quality.latestRun"),
      cell: ({ latest_run: run }) =>
        run
          ? <RunStatusBadge status={run.status} />
          : <span className="soft">{t("quality.neverRan")}</span>,
    },
    textColumn(t("quality.why"), ({ latest_run: run }) => run?.status_reason),
    {
      name: t("quality.ended"),
      cell: ({ latest_run: run }) => <Time at={run?.end_time ?? run?.start_time} />,
    },
    {
      name: t("quality.severity"),
      tight: true,
      cell: (test) => <Severity dataset={dataset} test={test} canSet={canSet} />,
    },
    actionsColumn((test) =>
      (statusOf(test) === "FAILED" || statusOf(test) === "BROKEN") &&
      <ImpactLink id={dataset} of={test.external_name} />
    ),
  ];
}

/** The suite that a test belongs to, a link if it has an address that may be followed. */
function Suite({ name, url }: { name?: string | null; url?: string | null }) {
  const text = name || url;
  if (!text) return null;
  if (!url || !/^https?:\/\//i.test(url)) return <span className="foreign">{text}</span>;
  return <a className="foreign" href={url} target="_blank" rel="noopener noreferrer">{text}</a>;
}

type Level = Schema<"DataQualityTestSeverity">;
const levels: Level[] = ["MINOR", "MAJOR", "CRITICAL"];

/** How severe a test is for a dataset; chosen in place where the caller may. */
function Severity(
  { dataset, test, canSet }: { dataset: number; test: Schema<"DataEntity">; canSet: boolean },
) {
  const queries = useQueryClient();
  const now = test.severity ?? "MAJOR";
  const set = useMutation({
    mutationFn: ({ severity }: { severity: Level; undo?: boolean }) =>
      send("put", "/api/datasets/{data_entity_id}/dataqatests/{dataqa_test_id}/severity", {
        path: { data_entity_id: dataset, dataqa_test_id: test.id },
        body: { severity },
      }),
    onSuccess: (_, { severity, undo }) =>
      toast(t("quality.testIsSevere", { test: test.external_name ?? "", severity }), {
        undo: undo ? undefined : () => set.mutate({ severity: now, undo: true }),
      }),
    onError: (error) => complain(t("quality.couldNotChangeTheSeverity"), error),
    onSettled: () => refresh(queries, "/api/datasets/{data_entity_id}/"),
  });
  if (!canSet) return <>{words(now)}</>;
  return (
    <div className={styles.severity}>
      <SelectField
        label={t("quality.severityOf", { test: test.external_name ?? "" })}
        hideLabel
        // What was chosen is shown at once, and taken back if it is refused.
        value={set.isPending ? set.variables.severity : now}
        options={wordOptions(levels)}
        onChange={({ target }) => set.mutate({ severity: target.value as Level })}
      />
    </div>
  );
}
