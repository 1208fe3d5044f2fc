import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { Card, Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { Filters } from "#web/features/quality/filters.tsx";
import { Matrix } from "#web/features/quality/matrix.tsx";
import { RowsBehind } from "#web/features/quality/rows.tsx";
import { TableHealth } from "#web/features/quality/table-health.tsx";
import { addressOfRows, filterOf, type Rows, rowsOfAddress } from "#web/features/quality/view.ts";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

/** How tests went, and how healthy what they test is; each number leads to the rows behind it. */
export function QualityScreen() {
  const [params, change] = useParamsOfView();
  const filter = filterOf(params);
  const rows = rowsOfAddress(params);
  const query = useQuery(read("/api/dataqatests/runs", { params: { query: filter } }));
  const open = (some: Rows | undefined) => change(addressOfRows(some), true);
  return (
    <Page
      title={t("quality.quality")}
      about={t("quality.latestTestResultsAndThe")}
      full
    >
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
