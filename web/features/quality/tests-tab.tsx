import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Copy } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import type { paths } from "#web/api/paths.gen.ts";
import { Chart } from "#web/components/chart/chart.tsx";
import { type RunStatus, runStatuses, runStatusStyles } from "#web/components/status.tsx";
import styles from "#web/features/quality/quality.module.css";
import { Share } from "#web/features/quality/share.tsx";
import { TestList } from "#web/features/quality/test-list.tsx";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { classes, toneClass } from "#web/kit/classes.ts";
import { count, words } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { Rich } from "#web/messages/rich.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

/** Tests of a dataset: what they demand, how they went, and how severe each is. */
export function TestsTab() {
  const id = Number(useParams({ strict: false }).id);
  return (
    <div className={styles.stack}>
      <div className={styles.cards}>
        <SlaCard dataset={id} />
        <TestReport dataset={id} />
      </div>
      <TestHistory dataset={id} />
      <TestList dataset={id} />
    </div>
  );
}

type Report = Schema<"DataSetTestReport">;

/** Tests by the last run that has finished; a number narrows the list below to them. */
function TestReport({ dataset }: { dataset: number }) {
  const query = useQuery(
    read("/api/datasets/{data_entity_id}/test_report", { path: { data_entity_id: dataset } }),
  );
  return (
    <Card title={t("quality.lastFinishedRuns")}>
      <Shown of={query} what={t("quality.testReport")} bones={5}>
        {(report) => <Numbers report={report} />}
      </Shown>
    </Card>
  );
}

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

function Score({ score, total }: { score: number | null | undefined; total: number }) {
  const tags = { score: <span className={styles.score} />, soft: <span className="soft" /> };
  return score == null
    ? <Rich of="quality.noScore" values={{ total }} tags={tags} />
    : <Rich of="quality.score" values={{ score, total }} tags={tags} />;
}

/** Tests whose last finished run has this status: `success_total` for `SUCCESS`, and so on. */
const countOf = (report: Report, status: RunStatus) =>
  report[`${status.toLowerCase() as Lowercase<RunStatus>}_total`] ?? 0;

/** Results of the tests by day, of the last 30 days; left out where no test has finished. */
function TestHistory({ dataset }: { dataset: number }) {
  const { data } = useQuery(
    read("/api/datasets/{data_entity_id}/test_history", { path: { data_entity_id: dataset } }),
  );
  const days = data?.days ?? [];
  if (!days.some(({ success, failed, other }) => success + failed + other > 0)) return null;
  const series = [
    { name: t("quality.failed"), tone: "bad" as const, values: days.map(({ failed }) => failed) },
    { name: t("quality.other"), tone: "neutral" as const, values: days.map(({ other }) => other) },
    {
      name: t("quality.succeeded"),
      tone: "good" as const,
      values: days.map(({ success }) => success),
    },
  ];
  return (
    <Card title={t("quality.testResultsByDay")}>
      <Chart
        label={t("quality.testResultsByDay")}
        kind="bars"
        stacked
        times={days.map(({ date }) => new Date(`${date}T00:00:00`).getTime())}
        series={series.filter(({ values }) => values.some((value) => value > 0))}
        format={count}
      />
    </Card>
  );
}

const slaBadgePath: keyof paths = "/api/datasets/{data_entity_id}/sla";

const slaColours: Record<Schema<"SLAColour">, { tone: Tone; about: PlainKey }> = {
  GREEN: { tone: "good", about: "quality.withinSla" },
  YELLOW: { tone: "warn", about: "quality.somethingFailsOrIsUntested" },
  RED: { tone: "bad", about: "quality.slaViolated" },
};

/** How the dataset keeps what its tests demand, and the picture of that to show elsewhere. */
function SlaCard({ dataset }: { dataset: number }) {
  const query = useQuery(
    read("/api/datasets/{data_entity_id}/sla_report", { path: { data_entity_id: dataset } }),
  );
  return (
    <Card title={t("quality.sla")}>
      <Shown of={query} what={t("quality.sla")} bones={5}>
        {(report) => <SlaReport report={report} dataset={dataset} />}
      </Shown>
    </Card>
  );
}

function SlaReport(
  { report, dataset }: { report: Schema<"DataSetSLAReport">; dataset: number },
) {
  const { tone, about } = slaColours[report.sla_colour];
  return (
    <div className={styles.stack}>
      <div className={styles.line}>
        <Badge tone={tone}>{words(report.sla_colour)}</Badge>
        <span className="soft">{t(about)}</span>
      </div>
      <Facts
        of={[
          [
            t("quality.weightKept"),
            t("quality.countOfTotal", { count: count(report.success), total: count(report.total) }),
          ],
          ...report.severity_weights.map(({ severity, count: weight }) =>
            [t("quality.testsWeigh", { severity }), count(weight)] as const
          ),
        ]}
      />
      <div className={styles.line}>
        <img
          className={styles.badge}
          src={new URL(
            `${slaBadgePath.slice(1).replace("{data_entity_id}", String(dataset))}?format=svg`,
            document.baseURI,
          ).href}
          alt={t("quality.slaBadge", { colour: words(report.sla_colour) })}
        />
        <Button
          small
          title={t("quality.forAPageElsewhereIt")}
          onClick={() => void copyAddress(report.sla_ref)}
        >
          <Copy aria-hidden />
          {t("quality.copyItsAddress")}
        </Button>
      </div>
    </div>
  );
}

async function copyAddress(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("kit.linkCopied"));
  } catch {
    // Browsers give the clipboard to pages over HTTPS only.
    toast(t("quality.theBrowserDoesNotAllow"), { tone: "bad", about: text });
  }
}
