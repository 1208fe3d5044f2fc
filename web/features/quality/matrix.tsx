import type { Schema } from "#web/api/client.ts";
import { classes, toneClass } from "#web/kit/classes.ts";
import { count, words } from "#web/kit/numbers.ts";
import { oneOf } from "#web/kit/search-params.ts";
import { type Column, Table } from "#web/kit/table.tsx";
import { type RunStatus, runStatuses, runStatusStyles } from "#web/components/status.tsx";
import { Share } from "#web/features/quality/share.tsx";
import { categories, categoryText, type Rows } from "#web/features/quality/view.ts";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

type Results = Schema<"DataQualityCategoryResults">;

/** Categories of tests by the status of the latest run. */
export function Matrix(
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
