import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { usePages } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty } from "#web/kit/states.tsx";
import { actionsColumn, type Column } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { ChipRow } from "#web/kit/badge.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { ImpactLink } from "#web/components/impact.tsx";
import { type InfiniteQuery, PagedTable } from "#web/components/paged-table.tsx";
import { RunStatusBadge } from "#web/components/status.tsx";
import {
  categoryText,
  healthStyles,
  type QualityFilter,
  type Rows,
} from "#web/features/quality/view.ts";
import { t } from "#web/messages/text.ts";

type Entity = Schema<"DataEntity">;

/** What a number of the dashboard counts. */
export function RowsBehind(
  { rows, filter, onClose }: { rows: Rows; filter: QualityFilter; onClose: () => void },
) {
  const place = useRef<HTMLDivElement>(null);
  const title = titleOf(rows);
  useEffect(() => {
    // Newer browsers answer with a promise, which an effect must not return.
    void place.current?.scrollIntoView({ block: "nearest" });
  }, [title]);
  return (
    <div ref={place}>
      <Card
        title={title}
        flush
        actions={
          <IconButton label={t("quality.closeTheList")} small onClick={onClose}>
            <X />
          </IconButton>
        }
      >
        {rows.of === "tests"
          ? <Tests rows={rows} filter={filter} />
          : <Tables rows={rows} filter={filter} />}
      </Card>
    </div>
  );
}

function titleOf(rows: Rows): string {
  if (rows.of === "tables") {
    const health = rows.health ? t(healthStyles[rows.health].text) : t("quality.all");
    return t("quality.datasetsOfHealth", { health });
  }
  return t("quality.testsOfStatus", {
    category: rows.category ? categoryText(rows.category) : t("quality.allTests"),
    status: rows.status ? words(rows.status) : t("quality.anyStatus"),
  });
}

function Tests({ rows, filter }: { rows: Rows & { of: "tests" }; filter: QualityFilter }) {
  const { category, status } = rows;
  const query = usePages("/api/dataqatests/tests", { query: { ...filter, category, status } });
  return <List of={query} label={t("kit.tests")} columns={testColumns()} />;
}

function Tables({ rows, filter }: { rows: Rows & { of: "tables" }; filter: QualityFilter }) {
  const { health } = rows;
  const query = usePages("/api/dataqatests/tables", { query: { ...filter, health } });
  return <List of={query} label={t("quality.datasets")} columns={tableColumns()} />;
}

function List(
  list: { of: InfiniteQuery<Entity>; label: string; columns: Column<Entity>[] },
) {
  return (
    <PagedTable<Entity>
      {...list}
      what={t("quality.list")}
      bones={6}
      empty={<Empty title={t("quality.noLongerAny")}>{t("quality.sinceTheNumbersWereRead")}</Empty>}
    />
  );
}

const testColumns = (): Column<Entity>[] => [
  { name: t("quality.test"), cell: (test) => <EntityLink of={test} tab="history" /> },
  { name: t("quality.testedAssets"), cell: (test) => <Tested by={test} /> },
  {
    name: t("quality.lastRun"),
    cell: ({ latest_run: run }) => run && <RunStatusBadge status={run.status} />,
  },
  {
    name: t("quality.ended"),
    cell: ({ latest_run: run }) => <Time at={run?.end_time ?? run?.start_time} />,
  },
  { name: t("quality.severity"), cell: ({ severity }) => severity && words(severity) },
  actionsColumn(({ datasets_list: datasets, external_name }) =>
    datasets?.[0] && <ImpactLink id={datasets[0].id} of={external_name} />
  ),
];

const tableColumns = (): Column<Entity>[] => [
  { name: t("quality.dataset"), cell: (table) => <EntityLink of={table} tab="tests" /> },
  { name: t("quality.source"), cell: ({ data_source: source }) => source?.name },
  { name: t("kit.namespace"), cell: ({ data_source: source }) => source?.namespace?.name },
  { name: t("quality.lastSeen"), cell: ({ last_ingested_at: at }) => <Time at={at} /> },
];

/** Datasets of a test that are listed; the rest is counted. */
const max = 2;

/** What a test tests. */
function Tested({ by }: { by: Schema<"DataEntity"> }) {
  const datasets = by.datasets_list ?? [];
  const rest = (by.datasets_list_total ?? datasets.length) - max;
  return (
    <ChipRow>
      {datasets.slice(0, max).map((one) => <EntityLink key={one.id} of={one} tab="tests" />)}
      {rest > 0 && <span className="soft">{t("quality.andMore", { count: rest })}</span>}
    </ChipRow>
  );
}
