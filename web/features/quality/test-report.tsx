import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { classes } from "#web/kit/classes.ts";
import { count, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { type RunStatus, runStatuses, runStatusStyles } from "#web/components/run-status.tsx";
import { Share } from "#web/features/quality/share.tsx";
import { toneClass } from "#web/kit/tones.ts";
import styles from "#web/features/quality/quality.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Report = Schema<"DataSetTestReport">;

const countOf = (report: Report, status: RunStatus) =>
  report[`${status.toLowerCase() as Lowercase<RunStatus>}_total`] ?? 0;

/** Tests by the last run that has finished; a number narrows the list below to them. */
export function TestReport({ dataset }: { dataset: number }) {
  const query = useQuery(
    read("/api/datasets/{data_entity_id}/test_report", {
      params: { path: { data_entity_id: dataset } },
    }),
  );
  return (
    <Card title={t("quality.lastFinishedRuns")}>
      <Shown of={query} what={t("quality.testReport")} bones={5}>
        {(report) => <Numbers report={report} />}
      </Shown>
    </Card>
  );
}

function Score({ score, total }: { score: number | null | undefined; total: number }) {
  const tags = { score: <span className={styles.score} />, soft: <span className="soft" /> };
  return score == null
    ? <Rich of="quality.noScore" values={{ total }} tags={tags} />
    : <Rich of="quality.score" values={{ score, total }} tags={tags} />;
}

// "Success" is `success_total` and so on: the members are named after the statuses.
function Numbers({ report }: { report: Report }) {
  const [params, change] = useParamsOfView();
  const chosen = oneOf(params.status, runStatuses);
  return (
    <div className={styles.stack}>
      <div className={styles.line}>
        <Score score={report.score} total={report.total ?? 0} />
      </div>
      <Share
        of={runStatuses.filter((status) => status !== "RUNNING").map((status) => [
          runStatusStyles[status].tone,
          countOf(report, status),
        ])}
      />
      <div className={styles.line}>
        {runStatuses.map((status) => (
          <button
            key={status}
            type="button"
            disabled={countOf(report, status) === 0}
            aria-pressed={chosen === status}
            className={classes(
              styles.segment,
              toneClass(countOf(report, status) > 0 ? runStatusStyles[status].tone : "neutral"),
            )}
            onClick={() => change({ status: chosen === status ? undefined : status }, true)}
          >
            {t("quality.statusAndCount", {
              status: words(status),
              count: count(countOf(report, status)),
            })}
          </button>
        ))}
      </div>
    </div>
  );
}
