import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { ClearFilters, FacetFilter } from "#web/components/facets.tsx";
import { type RunStatus, runStatuses, runStatusStyles } from "#web/components/status.tsx";
import styles from "#web/features/quality/quality.module.css";
import { RowsBehind } from "#web/features/quality/rows.tsx";
import { Share } from "#web/features/quality/share.tsx";
import {
  addressOfRows,
  categories,
  categoryText,
  facets,
  filterOf,
  type Health,
  healths,
  healthStyles,
  nameOf,
  type Rows,
  rowsOfAddress,
} from "#web/features/quality/view.ts";
import { classes, toneClass } from "#web/kit/classes.ts";
import { FilterSheet } from "#web/kit/dialog.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Card, Page, Toolbar } from "#web/kit/page.tsx";
import { idsOf, oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { t } from "#web/messages/text.ts";

/** How tests went, and how healthy what they test is; each number leads to the rows behind it. */
export function QualityScreen() {
  const [params, change] = useParamsOfView();
  const filter = filterOf(params);
  const rows = rowsOfAddress(params);
  const query = useQuery(read("/api/dataqatests/runs", { query: filter }));
  const open = (some: Rows | undefined) => change(addressOfRows(some), true);
  return (
    <Page title={t("quality.quality")} about={t("quality.latestTestResultsAndThe")} full>
      <Filters />
      <Shown of={query} what={t("quality.quality2")} bones={12}>
        {(results) => (
          <div className={styles.numbers}>
            <Card title={t("kit.tests")} flush>
              {isNone(results)
                ? <NoTests />
                : <Matrix results={results.test_results} rows={rows} onRows={open} />}
            </Card>
            <Card title={t("quality.datasets")}>
              <TableHealth of={results.tables_dashboard} rows={rows} onRows={open} />
            </Card>
          </div>
        )}
      </Shown>
      {rows && <RowsBehind rows={rows} filter={filter} onClose={() => open(undefined)} />}
    </Page>
  );
}

function isNone({ test_results }: Schema<"DataQualityResults">): boolean {
  return test_results.every(({ results }) => results.every(({ count }) => count === 0));
}

function NoTests() {
  return (
    <Empty title={t("quality.noTestResults")} icon={<ShieldCheck aria-hidden />}>
      {t("quality.collectorsOfTestSuitesReport")}
    </Empty>
  );
}

const sides = [
  ["tests", "kit.tests", "quality.testsThatCount"],
  ["datasets", "quality.datasets", "quality.datasetsThatCount"],
] as const;
const filterNames = sides.flatMap(([of]) => facets.map(({ kind }) => nameOf(kind, of)));

/** Which tests count, and which datasets. */
function Filters() {
  const [params, change] = useParamsOfView();
  return (
    <FilterSheet set={filterNames.filter((name) => params[name]).length}>
      <div className={styles.filters}>
        {sides.map(([of, text, label]) => (
          <div key={of} role="group" aria-label={t(label)}>
            <Toolbar>
              <span className={styles.side}>{t(text)}</span>
              {facets.map(({ kind, label }) => (
                <FacetFilter
                  key={kind}
                  kind={kind}
                  label={t(label)}
                  ids={idsOf(params[nameOf(kind, of)])}
                  onIds={(ids) => change({ [nameOf(kind, of)]: ids.join(",") })}
                />
              ))}
            </Toolbar>
          </div>
        ))}
        <ClearFilters names={filterNames} text={t("quality.clear")} />
      </div>
    </FilterSheet>
  );
}

type Tables = Schema<"TablesDashboard">;

/** Datasets by how their tests went. */
function TableHealth(
  { of, rows, onRows }: { of: Tables; rows: Rows | undefined; onRows: (rows: Rows) => void },
) {
  const counts = countsOf(of);
  const { monitored_tables: monitored } = of.monitored_tables;
  return (
    <div className={styles.health}>
      <Share of={healths.map((health) => [healthStyles[health].tone, counts[health]])} />
      <ul>
        {healths.map((health) => (
          <li key={health}>
            <button
              type="button"
              className={classes(
                styles.segment,
                toneClass(counts[health] > 0 ? healthStyles[health].tone : "neutral"),
              )}
              aria-pressed={rows?.of === "tables" && rows.health === health}
              aria-label={t("quality.showDatasets", {
                count: count(counts[health]),
                health: t(healthStyles[health].text),
              })}
              disabled={counts[health] === 0}
              onClick={() => onRows({ of: "tables", health })}
            >
              {count(counts[health])}
            </button>
            <div>
              <strong>{t(healthStyles[health].text)}</strong>{" "}
              <span className="soft">{t(healthStyles[health].about)}</span>
            </div>
          </li>
        ))}
      </ul>
      <p className="soft">{t("quality.datasetsMonitored", { count: monitored })}</p>
    </div>
  );
}

function countsOf({ tables_health: health, monitored_tables }: Tables): Record<Health, number> {
  return {
    ERROR: health.error_tables,
    WARNING: health.warning_tables,
    UNKNOWN: health.unknown_tables,
    HEALTHY: health.healthy_tables,
    NOT_MONITORED: monitored_tables.not_monitored_tables,
  };
}

type Results = Schema<"DataQualityCategoryResults">;

/** Categories of tests by the status of the latest run. */
function Matrix(
  { results, rows, onRows }: {
    results: Results[];
    rows: Rows | undefined;
    onRows: (rows: Rows) => void;
  },
) {
  const columns: Column<Results>[] = [
    {
      name: t("kit.category"),
      cell: (one) => (
        <div className={styles.category}>
          <span>{categoryText(one.category)}</span>
          <Share
            of={runStatuses.map((status) => [runStatusStyles[status].tone, countOf(one, status)])}
          />
        </div>
      ),
    },
    ...runStatuses.map((status): Column<Results> => ({
      name: words(status),
      right: true,
      tight: true,
      cell: (one) => (
        <Segment
          of={one}
          status={status}
          pressed={rows?.of === "tests" && rows.category === one.category &&
            rows.status === status}
          onRows={onRows}
        />
      ),
    })),
  ];
  return (
    <Table
      label={t("quality.testsByCategoryAndStatus")}
      columns={columns}
      rows={results}
      keyOf={({ category }) => category}
    />
  );
}

const countOf = ({ results }: Results, status: RunStatus) =>
  results.find((one) => one.status === status)?.count ?? 0;

function Segment(
  { of, status, pressed, onRows }: {
    of: Results;
    status: RunStatus;
    pressed: boolean;
    onRows: (rows: Rows) => void;
  },
) {
  const number = countOf(of, status);
  if (number === 0) return <span className={styles.none}>0</span>;
  return (
    <button
      type="button"
      className={classes(styles.segment, toneClass(runStatusStyles[status].tone))}
      aria-pressed={pressed}
      aria-label={t("quality.showTests", {
        count: count(number),
        status: words(status),
        category: categoryText(of.category),
      })}
      onClick={() => onRows({ of: "tests", category: oneOf(of.category, categories), status })}
    >
      {count(number)}
    </button>
  );
}
