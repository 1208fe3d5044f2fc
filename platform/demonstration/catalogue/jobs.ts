import { copied, martInputs, martLineage, martTable, raw, withColumns } from "./warehouse.ts";
import { group, type Item, item, run, type Source, transformer } from "./items.ts";
import { marts, metricsMarts } from "./marts.ts";
import { shopTables } from "./tables.ts";
import { shopTable } from "./shop.ts";

const airflow = "//airflow/host/airflow.harbour.example";
const dbt = "//dbt/host/dbt.harbour.example/projects/analytics";
const job = (dag: string, task: string) => `${airflow}/dags/${dag}/tasks/${task}`;

/** The build that changes while the demonstration is loaded, what it builds, and what it comes to read. */
export const churn = {
  job: job("build_marts", "mrt_churn_features"),
  mart: martTable("mrt_churn_features"),
  input: martTable("fct_reviews"),
};

/**
 * The scheduler before that: churn was not yet predicted from reviews. Nothing that was read before
 * goes missing, which would raise an alert.
 */
export function schedulerBefore(now: number): Source {
  const { items, ...source } = scheduler(now);
  const inputs = ["mrt_customer_lifetime", "dim_customers"].map(martTable);
  const before = transformer(inputs, [churn.mart]);
  return {
    ...source,
    items: items.map((one) => one.catrn === churn.job ? { ...one, ...before } : one),
  };
}

/** The scheduler: jobs that extract every table and build every mart, and their runs of the last days. */
export function scheduler(now: number): Source {
  const extracts = shopTables.map((t) =>
    item(
      job("extract_shop", t.name),
      `extract_${t.name}`,
      "JOB",
      {
        description: `Copies ${t.schema}.${t.name} into the warehouse`,
        metadata: { schedule: "0 * * * *", pool: "extract" },
      },
      withColumns(
        transformer([shopTable(t.name)], [raw(t.name)]),
        copied(
          shopTable(t.name),
          raw(t.name),
          t.columns.map(([column]) => column),
        ),
      ),
    )
  );
  const builds = [...marts, ...metricsMarts].map((m) =>
    item(job("build_marts", m.name), `build_${m.name}`, "JOB", {
      description: `Builds ${m.name}`,
      metadata: { schedule: "30 4 * * *", pool: "dbt" },
    }, withColumns(transformer(martInputs(m), [martTable(m.name)]), martLineage(m)))
  );
  const dags: [string, Item[]][] = [["extract_shop", extracts], ["build_marts", builds]];
  return {
    catrn: airflow,
    name: "Airflow",
    description: "The scheduler of extracts and builds",
    items: [
      ...extracts,
      ...builds,
      ...builds.flatMap((b, at) => jobRuns(b, at, now)),
      ...dags.map(([name, tasks]) =>
        item(`${airflow}/dags/${name}`, name, "DAG", {}, group(tasks.map((t) => String(t.catrn))))
      ),
    ],
  };
}

function jobRuns(build: Item, at: number, now: number): Item[] {
  return [30, 6].map((hoursAgo) => {
    const failed = at === 3 && hoursAgo === 30;
    const catrn = `${build.catrn}/runs/${hoursAgo}h`;
    return item(catrn, `${build.name} ${hoursAgo} h ago`, "JOB_RUN", {}, {
      data_transformer_run: {
        transformer_catrn: build.catrn,
        ...run(
          now,
          hoursAgo,
          failed ? "FAILED" : "SUCCESS",
          failed ? "warehouse suspended" : undefined,
        ),
      },
    });
  });
}

const checks: [suffix: string, category: string, type: string][] = [
  ["key_is_unique", "ASSERTION", "unique"],
  ["is_fresh", "FRESHNESS_ANOMALY", "source_freshness"],
  ["volume_is_usual", "VOLUME_ANOMALY", "row_count"],
];

/** Data tests of the marts, each with its latest run. */
export function tests(now: number): Source {
  const items = [...marts, ...metricsMarts].flatMap((mart, at) =>
    checks.flatMap(([suffix, category, type], check) => {
      const name = `${mart.name}_${suffix}`;
      const catrn = `${dbt}/tests/${name}`;
      const failed = at === 3 && check === 1;
      return [
        item(catrn, name, "JOB", { description: `${mart.name}: ${suffix.replaceAll("_", " ")}` }, {
          data_quality_test: {
            suite_name: mart.name,
            dataset_list: [martTable(mart.name)],
            expectation: { type, category, column: mart.columns[0]?.[0] ?? "id" },
            linked_url_list: [{ name: "model", url: `https://dbt.harbour.example/#/${mart.name}` }],
          },
        }),
        item(`${catrn}/runs/latest`, `${name} latest`, "JOB_RUN", {}, {
          data_quality_test_run: {
            data_quality_test_catrn: catrn,
            ...run(
              now,
              5,
              failed ? "FAILED" : "SUCCESS",
              failed ? "newest row is 19 h old" : undefined,
            ),
          },
        }),
      ];
    })
  );
  return { catrn: dbt, name: "dbt", description: "Tests of the marts", items };
}
